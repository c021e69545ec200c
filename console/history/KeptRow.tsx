import { formatCount, formatTime } from "../language/format.js";
import { messages } from "../language/language.js";
import { shownName } from "../parts/shownName.js";
import { close, open } from "../places/address.js";
import { Link } from "../places/Link.js";
import { nameOf } from "../places/names.js";
import type { PlaceOf } from "../places/place.js";
import type { KeptSetting } from "./history.js";
import { KeptDetails } from "./KeptDetails.js";
import { SettingRow } from "./SettingTable.js";

interface KeptRowProps {
  setting: KeptSetting;
  /** The time of the setting that it sets back, if this is known. */
  earlier: number | undefined;
  at: PlaceOf<"history">;
}

/** A setting that the server has kept. Its details have the address `open`. */
export function KeptRow({ setting, earlier, at }: KeptRowProps) {
  const { history } = messages.value;
  const { settingID, changed, users, setsBack, setBackBy } = setting;
  const isOpen = at.open === settingID;
  return (
    <SettingRow
      setting={setting}
      users={history.changed(formatCount(changed), formatCount(users))}
      setsBack={
        setsBack && (
          <Link to={{ ...at, open: setsBack }}>
            {earlier === undefined ? history.setsBack : history.setsBackOf(formatTime(earlier))}
          </Link>
        )
      }
      setBackBy={
        setBackBy && (
          <Link to={{ ...at, open: setBackBy.settingID }}>
            {history.setBackBy(shownName(nameOf("user", setBackBy.adminUserID), setBackBy.adminUserID))}
          </Link>
        )
      }
      action={
        <button type="button" aria-expanded={isOpen} onClick={() => (isOpen ? close(at) : open(at, settingID))}>
          {history.details}
        </button>
      }
    >
      {isOpen && <KeptDetails setting={setting} at={at} />}
    </SettingRow>
  );
}
