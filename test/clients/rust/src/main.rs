mod members;

use im_admin_client::apis::configuration::{ApiKey, Configuration};
use im_admin_client::apis::conversation_api::{set_conversations, SetConversationsError};
use im_admin_client::apis::friend_api::get_black_list;
use im_admin_client::apis::group_api::{get_group_member_list, get_joined_group_list, get_received_group_application_list};
use im_admin_client::apis::user_api::search_notification_account;
use im_admin_client::apis::Error;
use im_admin_client::models::*;
use members::all_members;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, later_url, token, other_token, conversation_id] = arguments.as_slice() else { panic!("five arguments") };
    let client = client_for(url, token);
    let pagination = || Pagination::new(1, 10);

    let members = all_members(&client, "2559217223").await?;
    println!("members {} {}", members.len(), members[members.len() - 1].join_time);
    let mut input = GetGroupMemberListInput::new("2559217223".into(), pagination());
    (input.keyword, input.filter) = (Some(None), Some(Some(1)));
    let owners = get_group_member_list(&client, "rust", input).await?.data.unwrap();
    println!("owners {} {}", owners.total, owners.members[0].nickname);
    let blacks = blacks_of(&client, "1000000007").await.data.unwrap();
    println!("blacks {} {} {}", blacks.total, blacks.blacks[0].create_time, blacks.blacks[0].black_user_info.nickname);
    let groups = groups_of(&client, "1000000007").await.data.unwrap();
    println!("groups {} {}", groups.total, groups.groups[0].group_name);
    let mut input = GetReceivedGroupApplicationListInput::new("1000000007".into(), pagination());
    input.handle_results = Some(Some(vec![-1]));
    let requests = get_received_group_application_list(&client, "rust", input).await?.data.unwrap();
    let request = &requests.group_requests[0];
    println!("requests {} {} {}", requests.total, request.handle_time, request.handle_msg);
    let accounts = accounts_for(&client, 1).await.data.unwrap();
    println!("accounts {} {}", accounts.total, accounts.notification_accounts[0].nick_name);
    let mut single = ConversationInput::new(conversation_id.clone(), conversation_input::ConversationType::SingleChat);
    single.user_id = Some(Some("1001800006".into()));
    (single.ex, single.is_pinned, single.min_seq) = (Some(None), Some(Some(true)), Some(Some(9007199254740991)));
    println!("set {}", set(&client, &["1000000007", "1003600005"], &single).await?.err_code);

    let wrong = accounts_for(&client, 0).await;
    println!("{} {}", wrong.err_code, wrong.err_dlt);
    let no_admin = accounts_for(&client_for(url, other_token), 1).await;
    println!("{} {}", no_admin.err_code, no_admin.err_dlt);
    let missing = blacks_of(&client, "u404").await;
    println!("{} {}", missing.err_code, missing.err_dlt);
    let mut group = ConversationInput::new(conversation_id.clone(), conversation_input::ConversationType::GroupChat);
    (group.group_id, group.is_pinned) = (Some(Some("3222223142".into())), Some(Some(true)));
    let dismissed = set(&client, &["1000000007"], &group).await?;
    println!("{} {}", dismissed.err_code, dismissed.err_dlt);
    let malformed = accounts_for(&client_for(url, "no.jwt"), 1).await;
    println!("{} {}", malformed.err_code, malformed.err_dlt);
    single.ex = Some(Some("x".repeat(2_000_000)));
    match set(&client, &["1000000007"], &single).await {
        Err(Error::ResponseError(refused)) => {
            let Some(SetConversationsError::Status4XX(failure)) = refused.entity else { panic!("{}", refused.content) };
            println!("HTTP {} {}", refused.status.as_u16(), failure.err_dlt);
        }
        other => panic!("{other:?}"),
    }

    let later = client_for(later_url, token);
    println!("later {}", blacks_of(&later, "u").await.data.unwrap().blacks[0].create_time);
    let code = groups_of(&later, "u").await;
    println!("later {} {}", code.err_code, code.err_dlt);
    Ok(())
}

fn client_for(url: &str, token: &str) -> Configuration {
    let api_key = Some(ApiKey { prefix: None, key: token.into() });
    Configuration { base_path: url.into(), api_key, ..Configuration::new() }
}

async fn blacks_of(client: &Configuration, user_id: &str) -> GetBlackListAnswer {
    get_black_list(client, "rust", GetBlackListInput::new(user_id.into(), Pagination::new(1, 10))).await.unwrap()
}

async fn groups_of(client: &Configuration, user_id: &str) -> GetJoinedGroupListAnswer {
    get_joined_group_list(client, "rust", GetJoinedGroupListInput::new(user_id.into(), Pagination::new(1, 10))).await.unwrap()
}

async fn accounts_for(client: &Configuration, page: i32) -> SearchNotificationAccountAnswer {
    let input = SearchNotificationAccountInput::new(Pagination::new(page, 10));
    search_notification_account(client, "rust", input).await.unwrap()
}

async fn set(
    client: &Configuration,
    user_ids: &[&str],
    conversation: &ConversationInput,
) -> Result<SetConversationsAnswer, Error<SetConversationsError>> {
    let user_ids = user_ids.iter().map(|id| id.to_string()).collect();
    set_conversations(client, "rust", SetConversationsInput::new(user_ids, conversation.clone())).await
}
