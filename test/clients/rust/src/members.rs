use im_admin_client::apis::{configuration::Configuration, group_api::get_group_member_list};
use im_admin_client::models::{GetGroupMemberListInput, GroupMember, Pagination};

/// Returns all members of a group.
pub async fn all_members(configuration: &Configuration, group_id: &str) -> Result<Vec<GroupMember>, Box<dyn std::error::Error>> {
    let mut members = Vec::new();
    for page in 1.. {
        let input = GetGroupMemberListInput::new(group_id.into(), Pagination::new(page, 1000));
        let answer = get_group_member_list(configuration, &format!("members-{page}"), input).await?;
        let Some(data) = answer.data else { return Err(answer.err_dlt.into()) };
        let is_last = data.members.is_empty();
        members.extend(data.members);
        if is_last || members.len() >= data.total as usize {
            break;
        }
    }
    Ok(members)
}
