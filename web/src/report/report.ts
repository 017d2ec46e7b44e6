// The report: draws itself from the data embedded in the page.
import "../base/theme.css";
import "../charts/charts.css";
import { PaperData, StudyData } from "./model";
import { paperPage } from "./paper";
import { studyPage } from "./study";

const data = JSON.parse(document.getElementById("data")!.textContent!) as StudyData | PaperData;
document.getElementById("page")!.replaceChildren(...(data.kind === "study" ? studyPage(data) : paperPage(data)));
