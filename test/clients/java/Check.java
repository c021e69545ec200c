import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;
import org.openapitools.client.model.ConversationInput.ConversationTypeEnum;

class Check {
  static final Pagination pagination = new Pagination().pageNumber(1).showNumber(10);

  public static void main(String[] args) throws Exception {
    var url = args[0];
    var client = clientFor(url, args[2]);
    var conversationID = args[4];
    var groupApi = new GroupApi(client);

    var members = Members.all(groupApi, "2559217223");
    print("members", members.size(), members.get(members.size() - 1).getJoinTime());
    var ownersInput = new GetGroupMemberListInput().groupID("2559217223").keyword(null).filter(1).pagination(pagination);
    var owners = groupApi.getGroupMemberList("java", ownersInput).getData();
    print("owners", owners.getTotal(), owners.getMembers().get(0).getNickname());
    var blacks = blacksOf(client, "1000000007").getData();
    var black = blacks.getBlacks().get(0);
    print("blacks", blacks.getTotal(), black.getCreateTime(), black.getBlackUserInfo().getNickname());
    var groups = groupsOf(client, "1000000007").getData();
    print("groups", groups.getTotal(), groups.getGroups().get(0).getGroupName());
    var requestsInput = new GetReceivedGroupApplicationListInput().fromUserID("1000000007").handleResults(List.of(-1)).pagination(pagination);
    var requests = groupApi.getReceivedGroupApplicationList("java", requestsInput).getData();
    var request = requests.getGroupRequests().get(0);
    print("requests", requests.getTotal(), request.getHandleTime(), request.getHandleMsg());
    var accounts = accountsFor(client, 1).getData();
    print("accounts", accounts.getTotal(), accounts.getNotificationAccounts().get(0).getNickName());
    var single = new ConversationInput().conversationID(conversationID).conversationType(ConversationTypeEnum.SingleChat)
        .userID("1001800006").ex(null).isPinned(true).minSeq(9007199254740991L);
    print("set", set(client, List.of("1000000007", "1003600005"), single).getErrCode());

    var wrong = accountsFor(client, 0);
    print(wrong.getErrCode(), wrong.getErrDlt());
    var noAdmin = accountsFor(clientFor(url, args[3]), 1);
    print(noAdmin.getErrCode(), noAdmin.getErrDlt());
    var missing = blacksOf(client, "u404");
    print(missing.getErrCode(), missing.getErrDlt());
    var group = new ConversationInput().conversationID(conversationID).conversationType(ConversationTypeEnum.GroupChat)
        .groupID("3222223142").isPinned(true);
    var dismissed = set(client, List.of("1000000007"), group);
    print(dismissed.getErrCode(), dismissed.getErrDlt());
    var malformed = accountsFor(clientFor(url, "no.jwt"), 1);
    print(malformed.getErrCode(), malformed.getErrDlt());
    try {
      set(client, List.of("1000000007"), single.ex("x".repeat(2_000_000)));
    } catch (ApiException error) {
      print("HTTP", error.getCode(), JSON.getGson().fromJson(error.getResponseBody(), Failure.class).getErrDlt());
    }

    var later = clientFor(args[1], args[2]);
    print("later", blacksOf(later, "u").getData().getBlacks().get(0).getCreateTime());
    var code = groupsOf(later, "u");
    print("later", code.getErrCode(), code.getErrDlt());
    System.exit(0);
  }

  static ApiClient clientFor(String url, String token) {
    var client = new ApiClient().setBasePath(url);
    client.setApiKey(token);
    return client;
  }

  static GetBlackListAnswer blacksOf(ApiClient client, String userID) throws ApiException {
    return new FriendApi(client).getBlackList("java", new GetBlackListInput().userID(userID).pagination(pagination));
  }

  static GetJoinedGroupListAnswer groupsOf(ApiClient client, String userID) throws ApiException {
    return new GroupApi(client).getJoinedGroupList("java", new GetJoinedGroupListInput().fromUserID(userID).pagination(pagination));
  }

  static SearchNotificationAccountAnswer accountsFor(ApiClient client, int page) throws ApiException {
    var input = new SearchNotificationAccountInput().pagination(new Pagination().pageNumber(page).showNumber(10));
    return new UserApi(client).searchNotificationAccount("java", input);
  }

  static SetConversationsAnswer set(ApiClient client, List<String> userIDs, ConversationInput conversation) throws ApiException {
    return new ConversationApi(client).setConversations("java", new SetConversationsInput().userIDs(userIDs).conversation(conversation));
  }

  static void print(Object... values) {
    System.out.println(String.join(" ", List.of(values).stream().map(Object::toString).toList()));
  }
}
