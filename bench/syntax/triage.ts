import { listIssues, addLabel } from "github";
import type { Issue, Label } from "github";

type Severity = "low" | "medium" | "high";
interface Verdict { issue: number; severity: Severity; reasons: string[] }

const weights: Record<string, number> = { crash: 5, security: 8, typo: 1 };

function weigh(issue: Issue, table: Record<string, number> = weights): number {
  const text = `${issue.title}\n${issue.body ?? ""}`.toLowerCase();
  return Object.entries(table).reduce((sum, [word, weight]) => text.includes(word) ? sum + weight : sum, 0);
}

const grade = (score: number): Severity => (score >= 8 ? "high" : score >= 3 ? "medium" : "low");

function judge(issue: Issue): Verdict {
  const reasons = issue.labels.map((label: Label) => label.name).filter(name => name in weights);
  return { issue: issue.number, severity: grade(weigh(issue)), reasons };
}

// What is open now; locked issues are nobody's business.
const issues: Issue[] = await listIssues({ owner: "acme", repo: "shop", state: "open" });
const verdicts = issues.filter(issue => !issue.locked).map(judge);
const bySeverity = new Map<Severity, Verdict[]>();
for (const verdict of verdicts) {
  bySeverity.set(verdict.severity, [...(bySeverity.get(verdict.severity) ?? []), verdict]);
}
const urgent = bySeverity.get("high") ?? [];
await Promise.all(urgent.map(({ issue }) => addLabel(issue, "urgent" as string)));
export default { total: verdicts.length, urgent: urgent.map(v => v.issue) } satisfies { total: number; urgent: number[] };
