// A match as the page uses it, see `prepare` in report/assets/match.js.

interface PageLink {
  event: PageEvent;
  score: number;
  tint: number;
}

interface PageEvent extends Data.ReportEvent {
  index: number;
  people: Set<number>;
  describedBy: Array<{ comment: PageComment; score: number }>;
  words: string;
}

// The events of a spell that a comment is about; `said` is what a search finds it by.
interface PagePhase extends Omit<Data.ReportPhase, "events"> {
  events: Array<PageEvent>;
  said: string;
}

interface PageComment extends Omit<Data.ReportComment, "also" | "clock" | "phase"> {
  index: number;
  links: Array<PageLink>;
  also: Array<PageLink>;
  status: "linked" | "none" | "unsure";
  clock: string;
  words: string;
  phase: PagePhase | null;
  recorded?: number; // the second of its recording at which it is said
  recording?: number; // the place of that recording among the match's
  // While labelling:
  proposed?: Array<PageLink>; // the machine's links
  guessed?: "linked" | "none" | "unsure"; // the machine's status
  states?: Set<string>;
}

interface PageMatch extends Omit<Data.ReportMatch, "periods" | "events" | "comments"> {
  periods: Map<number, Data.ReportPeriod>;
  events: Array<PageEvent>;
  comments: Array<PageComment>;
  generated: boolean;
  eventOf: Map<string, PageEvent>;
  commentOf: Map<Api.Label["comment"], PageComment>;
}

// A comment or an event; `links` or `describedBy` says which of the two it is.
type PageItem = PageComment & PageEvent;

// An event that a comment may describe, with the annotator's verdict.
interface PageOption extends PageLink {
  number: number;
  linked: boolean;
  verdict: "yes" | "no" | "open" | "free";
}

type PagePlace = [x: number, y: number];
type PageBox = [left: number, top: number, right: number, bottom: number];

// What every element that is found by its id may be asked for.
type PageElement = HTMLInputElement & HTMLDialogElement;
