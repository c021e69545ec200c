/** A host's table of conversations, for `set_conversations`. All texts but the refusal are SQL. */
export interface HostTable {
  /** Why it cannot be written. */
  refusal?: string;
  table: string;
  /** The IDs of a row. */
  ownerUserID: string;
  conversationID: string;
  /** The columns of the fields that can be set. */
  columns: Readonly<Record<string, string>>;
  /** The other columns of a new row, with their values over `im_admin_targets.user_id` and `im_admin_request`. */
  identity: readonly (readonly [column: string, value: string])[];
}
