/** What drizzle selects, and in which order. */
import { type Column, desc, sql } from "drizzle-orm";
import { blacks, groupMembers, groupRequests, groups, users } from "./drizzleTables.js";
