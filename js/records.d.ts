// Generated from the Python records by `python -m js.records`; not edited by hand.

declare namespace Data {
  type Mark = [number, number, number, string, Array<number>];
  interface Why {
    marks?: Array<Mark>;
    words?: Array<[number, Array<string>]>;
    notes?: Array<[string, string]>;
  }
  interface Moment {
    kind: string;
    event: number;
    side: number;
    name: string;
    clock: string;
    note?: string;
    score?: [number, number] | null;
  }
  interface Scoreboard {
    score: [number, number];
    periods?: Array<[number, [number, number]]>;
    shootout?: [number, number] | null;
  }
  interface ReportPlayer {
    name: string;
    team?: number | null;
  }
  interface ReportPeriod {
    number: number;
    name: string;
    minute: number;
    seconds: number;
  }
  interface ReportEvent {
    id: string;
    kind: number;
    what: string;
    period: number;
    time: number;
    clock: string;
    team?: number | null;
    player?: number | null;
    others?: Array<[string, number]>;
    facts?: Record<string, string>;
    at?: [number, number] | null;
    to?: [number, number] | null;
  }
  interface ReportPhase {
    team: number;
    events: Array<number>;
    period: number;
    span: [number, number];
    score: number;
    kind?: string | null;
  }
  interface ReportFinding {
    kind: "detail" | "name" | "no-event" | "outcome" | "score";
    severity: "error" | "warning";
    says: string;
    log: string;
    probability: number;
    words?: Array<[number, number]>;
    events?: Array<number>;
  }
  interface ReportComment {
    id: number | string;
    text: string;
    none: number;
    state: "linked" | "none" | "unsure";
    clock?: string | null;
    period?: number | null;
    start?: number | null;
    end?: number | null;
    events?: Array<[number, number]>;
    also?: Array<[number, number]>;
    span?: [number, number] | null;
    why?: Why | null;
    phase?: ReportPhase | null;
    kickoff?: number | null;
    findings?: Array<ReportFinding>;
  }
  interface ReportMatch {
    name: string;
    title: string;
    teams: Array<string>;
    periods: Array<ReportPeriod>;
    kinds: Array<string>;
    players: Array<ReportPlayer>;
    events: Array<ReportEvent>;
    comments: Array<ReportComment>;
    warnings?: Array<string>;
    result?: Scoreboard | null;
    moments?: Array<Moment>;
    recordings?: Array<Array<number>>;
    date?: string | null;
    checked?: boolean;
  }
  interface Report {
    format: number;
    touchline: string;
    method: string;
    matches: Array<ReportMatch>;
  }
}

declare namespace Api {
  interface Finding {
    comment: number | string;
    kind: "detail" | "name" | "no-event" | "outcome" | "score";
    severity: "error" | "warning";
    words: Array<[number, number]>;
    text: string;
    says: string;
    log: string;
    events: Array<string>;
    probability: number;
  }
  interface Limits {
    upload_bytes: number;
    upload_files: number;
    upload_several: number;
    waiting: number;
    note: number;
  }
  interface Session {
    touchline: string;
    token: boolean;
    signed_in: boolean;
    csrf: string | null;
    formats: Array<string>;
    methods: Array<string>;
    method: string;
    limits: Limits;
    read_only: boolean;
  }
  interface SignIn {
    token: string;
  }
  interface Job {
    id: string;
    kind: "align" | "learn" | "upload";
    match: string | null;
    title: string;
    method: string;
    state: "cancelled" | "done" | "failed" | "running" | "waiting";
    created: string;
    stage: "aligning" | "checking" | "explaining" | "learning" | "reading" | "waiting" | "writing";
    done: number;
    problem: string | null;
    ended: string | null;
    files: Record<string, string>;
    upload: string | null;
  }
  interface Jobs {
    jobs: Array<Job>;
  }
  interface Dismissed {
    jobs: Array<string>;
  }
  interface UploadFile {
    id: string;
    name: string;
    folder: string;
    bytes: number;
    archive: string | null;
    role: "archive" | "commentary" | "labels" | "lineups" | "links" | "log" | "unknown" | null;
    what: string;
    count: number | null;
    teams: Array<string>;
    date: string | null;
    problem: string | null;
  }
  interface UploadMatch {
    events: string;
    comments: Array<string>;
    lineups: Array<string>;
    labels: string | null;
    title: string;
    date: string | null;
    warnings: Array<string>;
    problem: string | null;
    checked: boolean;
  }
  interface Upload {
    id: string;
    created: string;
    files: Array<UploadFile>;
    matches: Array<UploadMatch>;
    jobs: Record<string, Array<string>>;
  }
  interface StartMatch {
    events: string;
    comments: Array<string>;
    lineups: Array<string>;
    labels: string | null;
    name: string;
  }
  interface StartRequest {
    matches: Array<StartMatch>;
    method: string | null;
  }
  interface Progress {
    name: string;
    done: number;
    open: number;
    unsure: number;
  }
  interface Match {
    name: string;
    title: string;
    state: "failed" | "new" | "ready";
    problem: string | null;
    uploaded: boolean;
    gold: boolean;
    comments: number | null;
    linked: number | null;
    events: number | null;
    score: string | null;
    date: string | null;
    method: string | null;
    aligned: string | null;
    answer: string | null;
    job: Job | null;
    annotators: Array<Progress>;
  }
  interface Matches {
    matches: Array<Match>;
    folder: string;
  }
  interface AlignRequest {
    method: string | null;
  }
  interface Findings {
    match: string;
    comments: number;
    findings: Array<Finding>;
  }
  interface LinksQuery {
    format: string;
    annotator: string | null;
  }
  interface Label {
    comment: number | string;
    events: Array<string>;
    rejected: Array<string>;
    none: boolean;
    unsure: boolean;
    note: string;
    done: boolean;
    segments: Record<string, Array<[number, number]>>;
    revision: number;
    at: string | null;
    by: string;
  }
  interface Step {
    id: number;
    action: string;
    comments: Array<number | string>;
  }
  interface Labels {
    labels: Array<Label>;
    latest: number;
    undo: Step | null;
    redo: Step | null;
  }
  interface LabelResult {
    label: Label;
    latest: number;
    undo: Step | null;
    redo: Step | null;
  }
  interface LabelAction {
    comment: number | string;
    revision: number;
    action: "accept" | "add" | "clear" | "none" | "note" | "reject" | "unsure" | "words";
    event: string | null;
    value: boolean | null;
    text: string | null;
    spans: Array<[number, number]> | null;
  }
  interface StepRequest {
    step: number;
  }
  interface QueueQuery {
    annotator: string;
    order: "match" | "teaching" | "uncertain";
    state: "all" | "open";
  }
  interface Queued {
    comment: number | string;
    doubt: number;
    done: boolean;
    unsure: boolean;
    gain: number;
  }
  interface Queue {
    comments: Array<Queued>;
  }
  interface AnswerOf {
    annotators: Array<string>;
    events: Array<string>;
  }
  interface Disagreement {
    comment: number | string;
    answers: Array<AnswerOf>;
    adjudicated: Label | null;
  }
  interface Disagreements {
    disagreements: Array<Disagreement>;
  }
  interface Adjudication {
    comment: number | string;
    revision: number;
    by: string;
    events: Array<string> | null;
  }
  interface Figures {
    precision: number;
    recall: number;
    f1: number;
    exact: number;
  }
  interface Comparison {
    match: string;
    comments: number;
    bundled: Figures | null;
    without: Figures;
    labels: Figures;
    over: Figures | null;
  }
  interface LearnedModel {
    id: string;
    method: string;
    learned: string;
    matches: number;
    labelled: number;
    comments: number;
    skipped: number;
    left_out: Array<Comparison>;
    total: Comparison;
    over_bundled: boolean;
    labels_by: string;
  }
  interface LabelCount {
    match: string;
    title: string;
    comments: number;
  }
  interface Learning {
    labelled: Array<LabelCount>;
    missing: string | null;
    job: Job | null;
    offered: LearnedModel | null;
    used: LearnedModel | null;
  }
  interface UseRequest {
    model: string;
  }
  interface AgreementQuery {
    a: string;
    b: string;
    match: string | null;
  }
  interface Pairs {
    a: number;
    b: number;
    both: number;
  }
  interface Difference {
    match: string;
    comment: number | string;
    a: Array<string>;
    b: Array<string>;
    title: string;
    clock: string | null;
    text: string;
    a_events: Array<string>;
    b_events: Array<string>;
  }
  interface Agreement {
    a: string;
    b: string;
    comments: number;
    pairs: Pairs;
    pair_f1: number | null;
    exact: number | null;
    kappa: number | null;
    differences: Array<Difference>;
  }
  interface Filters {
    q: string;
    player: string | null;
    kind: string | null;
    team: string | null;
    outcome: string | null;
    standing: "leading" | "level" | "trailing" | null;
    phase: string | null;
    match: string | null;
    from: number | null;
    to: number | null;
  }
  interface SearchQuery {
    q: string;
    player: string | null;
    kind: string | null;
    team: string | null;
    outcome: string | null;
    standing: "leading" | "level" | "trailing" | null;
    phase: string | null;
    match: string | null;
    from: number | null;
    to: number | null;
    limit: number;
    offset: number;
    facets: boolean;
  }
  interface ExportQuery {
    q: string;
    player: string | null;
    kind: string | null;
    team: string | null;
    outcome: string | null;
    standing: "leading" | "level" | "trailing" | null;
    phase: string | null;
    match: string | null;
    from: number | null;
    to: number | null;
    format: "csv" | "vtt";
  }
  interface Recorded {
    seconds: number;
    code: string;
  }
  interface HitEvent {
    id: string;
    what: string;
    clock: string;
    period: number;
    time: number;
    code: string | null;
    recorded: Recorded | null;
  }
  interface HitPhase {
    team: string;
    kind: string | null;
    period: number;
    span: [number, number];
  }
  interface Hit {
    match: string;
    title: string;
    comment: number | string;
    clock: string | null;
    minute: number | null;
    text: string;
    marks: Array<[number, number]>;
    events: Array<HitEvent>;
    by: string;
    phase: HitPhase | null;
    code: string | null;
    recorded: Recorded | null;
  }
  interface Meant {
    q: string;
    total: number;
  }
  interface FacetValue {
    value: string;
    count: number;
  }
  interface Facets {
    players: Array<FacetValue>;
    teams: Array<FacetValue>;
    kinds: Array<FacetValue>;
    outcomes: Array<FacetValue>;
    standings: Array<FacetValue>;
    phases: Array<FacetValue>;
  }
  interface Hits {
    total: number;
    hits: Array<Hit>;
    meant: Meant | null;
    facets: Facets | null;
  }
  interface SavedSearch {
    name: string;
    query: Filters;
    saved: string;
  }
  interface SavedSearches {
    searches: Array<SavedSearch>;
  }
  interface SaveRequest {
    name: string;
    query: Filters;
  }
  interface ChoicesQuery {
    match: string | null;
  }
  interface Choices {
    players: Array<string>;
    kinds: Array<string>;
    teams: Array<string>;
  }
  interface EventsQuery {
    match: string | null;
  }
  interface ErrorDetail {
    code: string;
    message: string;
    label?: Label | null;
    undo?: Step | null;
    redo?: Step | null;
  }
  interface ErrorResponse {
    error: ErrorDetail;
  }
}
