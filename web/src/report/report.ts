// The report: draws itself from the data embedded in the page.
import "../base/theme.css";
import "../charts/charts.css";
import { curvePage } from "./curve";
import { CurveData, PaperData, SizeData, StudyData } from "./model";
import { paperPage } from "./paper";
import { sizePage } from "./size";
import { studyPage } from "./study";

const data = JSON.parse(document.getElementById("data")!.textContent!) as StudyData | PaperData | SizeData | CurveData;
const page = data.kind === "study" ? studyPage(data) : data.kind === "paper" ? paperPage(data) : data.kind === "curve" ? curvePage(data) : sizePage(data);
document.getElementById("page")!.replaceChildren(...page);
