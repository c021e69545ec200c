import java.util.ArrayList;
import java.util.List;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.GroupApi;
import org.openapitools.client.model.*;

class Members {
  /** Returns all members of a group. */
  static List<GroupMember> all(GroupApi api, String groupID) throws ApiException {
    List<GroupMember> members = new ArrayList<>();
    for (int page = 1; ; page++) {
      var input = new GetGroupMemberListInput().groupID(groupID).pagination(new Pagination().pageNumber(page).showNumber(1000));
      var answer = api.getGroupMemberList("members-" + page, input);
      if (answer.getErrCode() != 0) throw new IllegalStateException(answer.getErrDlt());
      members.addAll(answer.getData().getMembers());
      if (answer.getData().getMembers().isEmpty() || members.size() >= answer.getData().getTotal()) return members;
    }
  }
}
