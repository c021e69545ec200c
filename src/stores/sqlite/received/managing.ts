import { managingRoles } from "../../lists/receivedGroupRequests.js";
import { raw } from "../sql.js";

/** Whether a member manages its group, as a condition on `role_level`. */
export const isManaging = raw(`role_level IN (${managingRoles.join(", ")})`);
