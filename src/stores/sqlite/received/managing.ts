import { managingRoles } from "../../lists/receivedGroupRequests.js";
import { raw } from "../sql.js";

/** Whether a member manages its group, as a condition on `roleLevel`. */
export const isManaging = raw(`roleLevel IN (${managingRoles.join(", ")})`);
