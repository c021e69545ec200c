package main

import (
	"context"
	"errors"
	"fmt"

	"example.org/check/admin"
)

// allMembers returns all members of a group.
func allMembers(ctx context.Context, client *admin.ClientWithResponses, groupID string) ([]admin.GroupMember, error) {
	var members []admin.GroupMember
	for page := int32(1); ; page++ {
		params := &admin.GetGroupMemberListParams{OperationID: fmt.Sprint("members-", page)}
		body := admin.GetGroupMemberListInput{GroupID: groupID, Pagination: admin.Pagination{PageNumber: page, ShowNumber: 1000}}
		response, err := client.GetGroupMemberListWithResponse(ctx, params, body)
		if err != nil {
			return nil, err
		}
		answer := response.JSON200
		if answer == nil {
			return nil, errors.New(response.Status())
		}
		if answer.ErrCode != 0 {
			return nil, errors.New(answer.ErrDlt)
		}
		members = append(members, answer.Data.Members...)
		if len(answer.Data.Members) == 0 || len(members) >= int(answer.Data.Total) {
			return members, nil
		}
	}
}
