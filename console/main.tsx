import "./style/base.css";
import "./style/shell.css";
import "./style/controls.css";
import "./style/list.css";
import "./style/card.css";
import "./style/detail.css";
import "./style/conversations.css";
import "./style/history.css";
import "./style/tasks.css";
import "./style/forced.css";
import "./style/print.css";
import { render } from "preact";
import { Console } from "./Console.js";
import { keepTextsWhole } from "./parts/wholeTexts.js";

keepTextsWhole();
const element = document.getElementById("console");
if (element !== null) render(<Console />, element);
