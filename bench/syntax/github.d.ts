declare module "github" {
  export interface Label { name: string; color: string }
  export interface Issue {
    number: number;
    title: string;
    body: string | null;
    labels: Label[];
    locked: boolean;
  }
  export interface Query { owner: string; repo: string; state?: "open" | "closed" | "all" }
  export function listIssues(query: Query): Promise<Issue[]>;
  export function addLabel(issue: number, label: string): Promise<void>;
}
