package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	"example.org/check/admin"
)

var ctx = context.Background()

func main() {
	url, laterURL, token, otherToken, conversationID := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	client := clientFor(url, token)
	pagination := admin.Pagination{PageNumber: 1, ShowNumber: 10}

	members := must(allMembers(ctx, client, "2559217223"))
	fmt.Println("members", len(members), members[len(members)-1].JoinTime)
	ownersBody := admin.GetGroupMemberListInput{GroupID: "2559217223", Filter: pointer(int32(1)), Pagination: pagination}
	owners := must(client.GetGroupMemberListWithResponse(ctx, &admin.GetGroupMemberListParams{OperationID: "go"}, ownersBody)).JSON200.Data
	fmt.Println("owners", owners.Total, owners.Members[0].Nickname)
	blacks := blacksOf(client, "1000000007").Data
	fmt.Println("blacks", blacks.Total, blacks.Blacks[0].CreateTime, blacks.Blacks[0].BlackUserInfo.Nickname)
	groups := groupsOf(client, "1000000007").Data
	fmt.Println("groups", groups.Total, groups.Groups[0].GroupName)
	requestsBody := admin.GetReceivedGroupApplicationListInput{
		FromUserID:    "1000000007",
		HandleResults: &[]int32{-1},
		Pagination:    pagination,
	}
	requests := must(client.GetReceivedGroupApplicationListWithResponse(ctx, &admin.GetReceivedGroupApplicationListParams{OperationID: "go"}, requestsBody)).JSON200.Data
	fmt.Println("requests", requests.Total, requests.GroupRequests[0].HandleTime, requests.GroupRequests[0].HandleMsg)
	accounts := accountsFor(client, 1).Data
	fmt.Println("accounts", accounts.Total, accounts.NotificationAccounts[0].NickName)
	single := admin.ConversationInput{
		ConversationID:   conversationID,
		ConversationType: admin.SingleChat,
		UserID:           pointer("1001800006"),
		IsPinned:         pointer(true),
		MinSeq:           pointer(int64(9007199254740991)),
	}
	fmt.Println("set", set(client, []string{"1000000007", "1003600005"}, single).JSON200.ErrCode)

	wrong := accountsFor(client, 0)
	fmt.Println(wrong.ErrCode, wrong.ErrDlt)
	noAdmin := accountsFor(clientFor(url, otherToken), 1)
	fmt.Println(noAdmin.ErrCode, noAdmin.ErrDlt)
	missing := blacksOf(client, "u404")
	fmt.Println(missing.ErrCode, missing.ErrDlt)
	group := admin.ConversationInput{
		ConversationID:   conversationID,
		ConversationType: admin.GroupChat,
		GroupID:          pointer("3222223142"),
		IsPinned:         pointer(true),
	}
	dismissed := set(client, []string{"1000000007"}, group).JSON200
	fmt.Println(dismissed.ErrCode, dismissed.ErrDlt)
	malformed := accountsFor(clientFor(url, "no.jwt"), 1)
	fmt.Println(malformed.ErrCode, malformed.ErrDlt)
	single.Ex = pointer(strings.Repeat("x", 2_000_000))
	long := set(client, []string{"1000000007"}, single)
	fmt.Println("HTTP", long.StatusCode(), long.JSON4XX.ErrDlt)

	later := clientFor(laterURL, token)
	fmt.Println("later", blacksOf(later, "u").Data.Blacks[0].CreateTime)
	code := groupsOf(later, "u")
	fmt.Println("later", code.ErrCode, code.ErrDlt)
}

func clientFor(url, token string) *admin.ClientWithResponses {
	withToken := func(_ context.Context, request *http.Request) error {
		request.Header.Set("token", token)
		return nil
	}
	return must(admin.NewClientWithResponses(url, admin.WithRequestEditorFn(withToken)))
}

func blacksOf(client *admin.ClientWithResponses, userID string) *admin.GetBlackListAnswer {
	body := admin.GetBlackListInput{UserID: userID, Pagination: admin.Pagination{PageNumber: 1, ShowNumber: 10}}
	return must(client.GetBlackListWithResponse(ctx, &admin.GetBlackListParams{OperationID: "go"}, body)).JSON200
}

func groupsOf(client *admin.ClientWithResponses, userID string) *admin.GetJoinedGroupListAnswer {
	body := admin.GetJoinedGroupListInput{FromUserID: userID, Pagination: admin.Pagination{PageNumber: 1, ShowNumber: 10}}
	return must(client.GetJoinedGroupListWithResponse(ctx, &admin.GetJoinedGroupListParams{OperationID: "go"}, body)).JSON200
}

func accountsFor(client *admin.ClientWithResponses, page int32) *admin.SearchNotificationAccountAnswer {
	body := admin.SearchNotificationAccountInput{Pagination: admin.Pagination{PageNumber: page, ShowNumber: 10}}
	return must(client.SearchNotificationAccountWithResponse(ctx, &admin.SearchNotificationAccountParams{OperationID: "go"}, body)).JSON200
}

func set(client *admin.ClientWithResponses, userIDs []string, conversation admin.ConversationInput) *admin.SetConversationsResponse {
	body := admin.SetConversationsInput{UserIDs: userIDs, Conversation: conversation}
	return must(client.SetConversationsWithResponse(ctx, &admin.SetConversationsParams{OperationID: "go"}, body))
}

func pointer[Value any](value Value) *Value { return &value }

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}
