// The report: draws itself from the data embedded in the page.
import "../base/theme.css";
import "../charts/charts.css";
import { curvePage } from "./curve";
import { CurveData, PaperData, SizeData, StudyData, TicketData } from "./model";
import { paperPage } from "./paper";
import { sizePage } from "./size";
import { studyPage } from "./study";
import { ticketPage } from "./ticket";

const data = JSON.parse(document.getElementById("data")!.textContent!) as StudyData | PaperData | SizeData | CurveData | TicketData;
const page =
  data.kind === "study"
    ? studyPage(data)
    : data.kind === "paper"
      ? paperPage(data)
      : data.kind === "curve"
        ? curvePage(data)
        : data.kind === "size"
          ? sizePage(data)
          : ticketPage(data);
document.getElementById("page")!.replaceChildren(...page);
