// What to label, in the page: the conventions of docs/labelling.md. A test keeps both the same.
import { make } from "./report/dom.js";
import { dialog } from "./dialog.js";

const RULES = [
  ["Everything that has just happened", "Label every event that the comment says has just happened, the whole chain that it describes (a cross, the header, the save), and nothing that it does not mention."],
  ["Two records of one action", "Many actions are in a log twice, once for each side: a foul committed and a foul won, a dribble and the opponent's duel, a shot and the save or the block. The second record counts only if the comment mentions that side (\"the keeper\", \"is blocked\")."],
  ["Shots", "A shot is always its shot event. The pass before it counts if it is mentioned."],
  ["Cards and offsides", "A card is the foul, or the bad behaviour, that carries it. An offside is the pass that was offside, or the offside event."],
  ["Set pieces", "A corner or a free kick counts when it is taken, not when it is only awarded."],
  ["A name alone", "In speech, a line that only names the player on the ball is linked to what that player does with it, normally the pass; \"to Smith\" is the pass that Smith receives."],
  ["No event", "General talk, opinion, statistics and the weather describe no event. What happened up to a minute ago counts if the comment describes it again."],
  ["When they disagree", "Where name and log disagree, time, place and action decide."],
];

export async function showGuide() {
  await dialog("What to label", () => [
    make("p", { class: "soft" }, "People give the same labels only if they follow the same rules. When you cannot decide, press u: an unsure label counts half."),
    make("dl", { class: "guide" }, ...RULES.map(([title, text]) => make("div", {}, make("dt", {}, title), make("dd", {}, text)))),
  ]);
}
