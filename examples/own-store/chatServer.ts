/** The data structures of an imaginary chat server. It knows nothing of im-admin. */
export class ChatServer {
  readonly users = new Map<string, User>();
  readonly rooms = new Map<string, Room>();
  /** The blacklists: the outer key is the blocking user. */
  readonly blocks = new Map<string, Map<string, Block>>();
  /** Each user's conversations, by conversation. */
  readonly inboxes = new Map<string, Map<string, Conversation>>();

  room(roomID: string): Room {
    return getOrMake(this.rooms, roomID, () => ({ members: new Map(), requests: new Map() }));
  }

  blocksOf(userID: string): Map<string, Block> {
    return getOrMake(this.blocks, userID, () => new Map());
  }

  inboxOf(userID: string): Map<string, Conversation> {
    return getOrMake(this.inboxes, userID, () => new Map());
  }
}

export interface User {
  name: string;
  picture: string;
  extra: string;
  level: number;
}

export interface Room {
  /** Undefined if the room was deleted, and only members or requests are left. */
  about?: RoomInfo;
  members: Map<string, Membership>;
  requests: Map<string, JoinRequest>;
}

export interface RoomInfo {
  groupName: string;
  notification: string;
  introduction: string;
  faceURL: string;
  createTime: number;
  ex: string;
  status: number;
  creatorUserID: string;
  groupType: number;
  needVerification: number;
  lookMemberInfo: number;
  applyMemberFriend: number;
  notificationUpdateTime: number;
  notificationUserID: string;
}

export interface Membership {
  role: number;
  since: number;
  name: string;
  picture: string;
  source: number;
  addedBy: string;
  invitedBy: string;
  mutedUntil: number;
  extra: string;
}

export interface JoinRequest {
  result: number;
  message: string;
  at: number;
  answer: string;
  answeredBy: string;
  answeredAt: number;
  source: number;
  invitedBy: string;
  extra: string;
}

export interface Block {
  since: number;
  source: number;
  by: string;
  extra: string;
}

export interface Conversation {
  type: number;
  peer: string;
  room: string;
  settings: Settings;
}

export interface Settings {
  recvMsgOpt: number;
  attachedInfo: string;
  isPinned: boolean;
  isPrivateChat: boolean;
  ex: string;
  burnDuration: number;
  minSeq: number;
  maxSeq: number;
  groupAtType: number;
  msgDestructTime: number;
  isMsgDestruct: boolean;
}

function getOrMake<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
