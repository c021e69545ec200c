import { language } from "./language.js";

/** The labels of the interface's fields, in English and in Chinese. */
const labels: Readonly<Record<string, readonly [english: string, chinese: string]>> = {
  userID: ["User ID", "用户 ID"],
  nickname: ["Name", "名称"],
  nickName: ["Name", "名称"],
  faceURL: ["Avatar", "头像"],
  ex: ["Extension (ex)", "扩展字段（ex）"],
  groupID: ["Group ID", "群组 ID"],
  groupName: ["Name", "名称"],
  notification: ["Announcement", "公告"],
  introduction: ["Introduction", "简介"],
  ownerUserID: ["Owner", "群主"],
  createTime: ["Created", "创建时间"],
  memberCount: ["Members", "成员数"],
  status: ["Status", "状态"],
  creatorUserID: ["Created by", "创建者"],
  groupType: ["Kind", "类型"],
  needVerification: ["Approval to join", "入群审批"],
  lookMemberInfo: ["View profiles", "查看成员资料"],
  applyMemberFriend: ["Add friends", "添加好友"],
  notificationUpdateTime: ["Announcement changed", "公告更新时间"],
  notificationUserID: ["Announcement by", "公告发布者"],
  roleLevel: ["Role", "角色"],
  joinTime: ["Joined", "加入时间"],
  appMangerLevel: ["Rank", "级别"],
  joinSource: ["Join source", "加入方式"],
  operatorUserID: ["Operator", "操作人"],
  muteEndTime: ["Muted until", "禁言至"],
  inviterUserID: ["Invited by", "邀请人"],
  handleResult: ["Result", "结果"],
  reqMsg: ["Message", "附言"],
  handleMsg: ["Reply", "回复"],
  reqTime: ["Requested", "申请时间"],
  handleUserID: ["Handled by", "处理人"],
  handleTime: ["Handled", "处理时间"],
  addSource: ["Source", "添加方式"],
  userInfo: ["Applicant", "申请人"],
  groupInfo: ["Group", "群组"],
  minSeq: ["First message", "第一条消息"],
  maxSeq: ["Last message", "最后一条消息"],
  groupAtType: ["Mention", "提及"],
  isMsgDestruct: ["Delete messages", "定期删除消息"],
  msgDestructTime: ["Delete messages after (seconds)", "消息保留时间（秒）"],
  blackUserInfo: ["Blocked user", "被拉黑的用户"],
};

/** The label of a field, or its name if it has none. */
export function labelOf(field: string): string {
  return labels[field]?.[language.value === "zh" ? 1 : 0] ?? field;
}
