import sys

from im_admin_client import AuthenticatedClient
from im_admin_client.api.conversation import set_conversations
from im_admin_client.api.friend import get_black_list
from im_admin_client.api.group import get_group_member_list, get_joined_group_list, get_received_group_application_list
from im_admin_client.api.user import search_notification_account
from im_admin_client.models import (
    ConversationInput,
    ConversationInputConversationType,
    GetBlackListInput,
    GetGroupMemberListInput,
    GetJoinedGroupListInput,
    GetReceivedGroupApplicationListInput,
    Pagination,
    SearchNotificationAccountInput,
    SetConversationsInput,
)
from members import all_members

url, later_url, token, other_token, conversation_id = sys.argv[1:]


def client_for(base_url, token):
    return AuthenticatedClient(base_url=base_url, token=token, prefix="", auth_header_name="token")


def set_fields(users, **fields):
    conversation = ConversationInput(conversation_id=conversation_id, **fields)
    body = SetConversationsInput(user_i_ds=users, conversation=conversation)
    return set_conversations.sync_detailed(client=client, body=body, operation_id="python")


def accounts_for(client, page=1):
    body = SearchNotificationAccountInput(Pagination(page, 10))
    return search_notification_account.sync(client=client, body=body)


def blacks_of(client, user_id):
    return get_black_list.sync(client=client, body=GetBlackListInput(user_id, pagination), operation_id="python")


def groups_of(client, user_id):
    body = GetJoinedGroupListInput(user_id, pagination)
    return get_joined_group_list.sync(client=client, body=body, operation_id="python")


client = client_for(url, token)
pagination = Pagination(1, 10)
single, group = ConversationInputConversationType.SINGLE_CHAT, ConversationInputConversationType.GROUP_CHAT

members = list(all_members(client, "2559217223"))
print("members", len(members), members[-1].join_time)
body = GetGroupMemberListInput("2559217223", pagination, keyword=None, filter_=1)
owners = get_group_member_list.sync(client=client, body=body, operation_id="python").data
print("owners", owners.total, owners.members[0].nickname)
blacks = blacks_of(client, "1000000007").data
print("blacks", blacks.total, blacks.blacks[0].create_time, blacks.blacks[0].black_user_info.nickname)
groups = groups_of(client, "1000000007").data
print("groups", groups.total, groups.groups[0].group_name)
body = GetReceivedGroupApplicationListInput("1000000007", pagination, handle_results=[-1])
requests = get_received_group_application_list.sync(client=client, body=body, operation_id="python").data
print("requests", requests.total, requests.group_requests[0].handle_time, requests.group_requests[0].handle_msg)
accounts = accounts_for(client).data
print("accounts", accounts.total, accounts.notification_accounts[0].nick_name)
peer = {"conversation_type": single, "user_id": "1001800006"}
result = set_fields(["1000000007", "1003600005"], **peer, ex=None, is_pinned=True, min_seq=2**53 - 1)
print("set", result.parsed.err_code)

for failure in [
    accounts_for(client, page=0),
    accounts_for(client_for(url, other_token)),
    blacks_of(client, "u404"),
    set_fields(["1000000007"], conversation_type=group, group_id="3222223142", is_pinned=True).parsed,
    accounts_for(client_for(url, "no.jwt")),
]:
    print(failure.err_code, failure.err_dlt)
result = set_fields(["1000000007"], **peer, ex="x" * 2_000_000)
print("HTTP", int(result.status_code), result.parsed.err_dlt)

later = client_for(later_url, token)
print("later", blacks_of(later, "u").data.blacks[0].create_time)
print("later", groups_of(later, "u").err_code, groups_of(later, "u").err_dlt)
