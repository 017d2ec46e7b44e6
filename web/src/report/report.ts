// The report: draws itself from the data embedded in the page.
import "../base/theme.css";
import "../charts/charts.css";
import { PaperData, ProgramData, SizeData, StudyData } from "./model";
import { paperPage } from "./paper";
import { programPage } from "./program";
import { sizePage } from "./size";
import { studyPage } from "./study";

const data = JSON.parse(document.getElementById("data")!.textContent!) as StudyData | PaperData | SizeData | ProgramData;
const page =
  data.kind === "study" ? studyPage(data) : data.kind === "paper" ? paperPage(data) : data.kind === "size" ? sizePage(data) : programPage(data);
document.getElementById("page")!.replaceChildren(...page);
