import fc from "fast-check";
import { seed } from "./helpers/chance.js";

fc.configureGlobal({ seed });
