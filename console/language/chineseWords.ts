import type { codes } from "../../src/answers/codes.js";

/** The meanings of codes, in Chinese. */
export const chineseCodes: { [Field in keyof typeof codes]: { [Code in keyof (typeof codes)[Field]]: string } } = {
  roleLevel: { 100: "群主", 60: "管理员", 20: "普通成员" },
  handleResult: { 0: "待处理", 1: "已同意", "-1": "已拒绝" },
  appMangerLevel: { 0: "普通用户", 1: "普通用户", 2: "管理员", 3: "通知账号", 4: "机器人" },
  status: { 0: "正常", 1: "已封禁", 2: "已解散", 3: "已禁言" },
  groupType: { 0: "普通群", 1: "超级群", 2: "工作群" },
  needVerification: { 0: "除受邀外需要", 1: "除群主或管理员邀请外需要", 2: "不需要" },
  lookMemberInfo: { 0: "允许", 1: "不允许" },
  applyMemberFriend: { 0: "允许", 1: "不允许" },
  conversationType: { 1: "单聊", 3: "群聊" },
  recvMsgOpt: { 0: "接收", 1: "不接收", 2: "接收但不提醒" },
  joinSource: { 1: "由管理员添加", 2: "受邀", 3: "通过搜索", 4: "通过二维码" },
};
