from im_admin_client import AuthenticatedClient
from im_admin_client.api.group import get_group_member_list
from im_admin_client.models import GetGroupMemberListInput, Pagination


def all_members(client: AuthenticatedClient, group_id: str):
    """Yields all members of a group."""
    page, read, total = 1, 0, 1
    while read < total:
        body = GetGroupMemberListInput(group_id, Pagination(page_number=page, show_number=1000))
        answer = get_group_member_list.sync(client=client, body=body, operation_id=f"members-{page}")
        if answer is None or answer.err_code != 0:
            raise RuntimeError(answer and answer.err_dlt)
        yield from answer.data.members
        page, read, total = page + 1, read + 1000, answer.data.total
