// Weekly report: orders and their payments, matched, summed by region, late ones chased.
import { fetchOrders, fetchPayments, fetchCustomers, sendMail } from "shop";
import { cached, retry } from "tools";
import type { Order, Payment, Customer, Mail, Page } from "shop";
import type { RetryOptions } from "tools";

export type Region = "north" | "south" | "east" | "west";
export type Money = { readonly amount: number; readonly currency: "EUR" | "USD" | "GBP" };
type Keyed<T, K extends keyof T> = Map<T[K], T[]>;
type Result<T, E = Error> = { ok: true; value: T } | { ok: false; error: E };
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Awaitable<T> = T | PromiseLike<T>;
type ArgumentsOf<F> = F extends (...args: infer A) => unknown ? A : never;

interface Matched {
  order: Order;
  payments: Payment[];
  customer?: Customer;
  due: Money;
}

interface Summary {
  region: Region;
  orders: number;
  paid: Money;
  open: Money;
  late: Matched[];
}

interface Sink<in T> {
  readonly name: string;
  write(item: T): Awaitable<void>;
  close?(): Promise<void>;
}

const REGIONS: readonly Region[] = ["north", "south", "east", "west"] as const;
const DAY_MS = 24 * 60 * 60 * 1000;
const RATES: { [currency in Money["currency"]]: number } = { EUR: 1, USD: 0.92, GBP: 1.17 };
const POSTCODE = /^(?<area>[A-Z]{1,2})(?<district>\d{1,2})[ -]?(?<rest>\d[A-Z]{2})$/u;

class ReportError extends Error {
  readonly code: string;
  readonly details?: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = "ReportError";
    this.code = code;
    this.details = details;
  }

  static wrap(reason: unknown, code = "unknown"): ReportError {
    if (reason instanceof ReportError) return reason;
    const message = reason instanceof Error ? reason.message : String(reason);
    return new ReportError(code, message, { reason });
  }
}

function ok<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

function fail<E extends Error>(error: E): Result<never, E> {
  return { ok: false, error };
}

function assertNever(value: never): never {
  throw new ReportError("unreachable", `unexpected value: ${JSON.stringify(value)}`);
}

function isRegion(value: unknown): value is Region {
  return typeof value === "string" && (REGIONS as readonly string[]).includes(value);
}

const inEuro = ({ amount, currency }: Money): number => amount * RATES[currency];
const euro = (amount: number): Money => ({ amount: Math.round(amount * 100) / 100, currency: "EUR" });
const add = (a: Money, b: Money): Money => euro(inEuro(a) + inEuro(b));
const zero: Money = euro(0);

export function groupBy<T, K extends keyof T>(items: Iterable<T>, key: K): Keyed<T, K> {
  const groups: Keyed<T, K> = new Map();
  for (const item of items) {
    const group = groups.get(item[key]);
    if (group) group.push(item);
    else groups.set(item[key], [item]);
  }
  return groups;
}

function indexBy<T, K extends PropertyKey>(items: readonly T[], key: (item: T) => K): Record<K, T> {
  const index = {} as Record<K, T>;
  for (const item of items) index[key(item)] = item;
  return index;
}

async function* pages<T>(
  fetchPage: (cursor?: string) => Promise<Page<T>>,
  limit: number = 50,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  let seen = 0;
  do {
    const page: Page<T> = await retry(() => fetchPage(cursor), { times: 3 } as RetryOptions);
    for (const item of page.items) {
      yield item;
      if (++seen >= limit) return;
    }
    cursor = page.next;
  } while (cursor !== undefined);
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

export class Matcher {
  #payments: Map<string, Payment[]>;
  private readonly customers: Record<string, Customer>;
  protected unmatched: Payment[] = [];
  static readonly tolerance: number = 0.005;

  constructor(payments: Payment[], customers: Customer[]) {
    this.#payments = groupBy(payments, "orderId");
    this.customers = indexBy(customers, customer => customer.id);
  }

  get open(): number {
    return this.unmatched.length;
  }

  match(order: Order): Matched {
    const payments = this.#payments.get(order.id) ?? [];
    this.#payments.delete(order.id);
    const paid = payments.map(payment => payment.money).reduce(add, zero);
    const due = euro(inEuro(order.total) - inEuro(paid));
    return { order, payments, customer: this.customers[order.customerId], due };
  }

  finish(this: Matcher): readonly Payment[] {
    for (const [orderId, payments] of this.#payments) {
      if (orderId.startsWith("test-")) continue;
      this.unmatched.push(...payments);
    }
    this.#payments.clear();
    return this.unmatched;
  }

  isSettled({ due }: Matched): boolean {
    return Math.abs(due.amount) <= Matcher.tolerance;
  }
}

function regionOf(customer: Customer | undefined): Result<Region> {
  if (!customer) return fail(new ReportError("no-customer", "the order has no customer"));
  const given: unknown = customer.region?.trim().toLowerCase();
  if (isRegion(given)) return ok(given);
  const match = POSTCODE.exec(customer.postcode ?? "");
  const district = Number(match?.groups?.district ?? NaN);
  if (Number.isNaN(district)) {
    return fail(new ReportError("no-region", `no region for ${customer.id}`, { customer }));
  }
  return ok(REGIONS[district % REGIONS.length]!);
}

function ageInDays(order: Order, now: Date): number {
  return Math.floor((now.getTime() - new Date(order.placed).getTime()) / DAY_MS);
}

function summarize(region: Region, matched: Matched[], matcher: Matcher, now: Date): Summary {
  const late = matched
    .filter(entry => !matcher.isSettled(entry) && ageInDays(entry.order, now) > 14)
    .sort((a, b) => inEuro(b.due) - inEuro(a.due));
  let paid = zero;
  let open = zero;
  for (const { payments, due } of matched) {
    paid = payments.reduce((sum: Money, payment) => add(sum, payment.money), paid);
    if (due.amount > 0) open = add(open, due);
  }
  return { region, orders: matched.length, paid, open, late };
}

function format(money: Money, locale?: string): string;
function format(money: null): "-";
function format(money: Money | null, locale = "en-US"): string {
  if (money === null) return "-";
  const text = money.amount.toLocaleString(locale, { minimumFractionDigits: 2 });
  switch (money.currency) {
    case "EUR":
      return `${text} €`;
    case "USD":
      return `$${text}`;
    case "GBP":
      return `£${text}`;
    default:
      return assertNever(money.currency);
  }
}

function table(rows: ReadonlyArray<readonly [head: string, ...cells: string[]]>): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  ");
  return rows.map(line).join("\n");
}

function render(summaries: Summary[]): string {
  const head = ["region", "orders", "paid", "open", "late"] as const;
  const body = summaries.map(
    ({ region, orders, paid, open, late }) =>
      [region, String(orders), format(paid), format(open), `${late.length}`] as [string, ...string[]],
  );
  return table([[...head], ...body]);
}

function reminder({ order, customer, due }: Matched, now: Date): Mail | null {
  if (!customer?.email) return null;
  const days = ageInDays(order, now);
  const tone: "friendly" | "firm" | "final" = days < 30 ? "friendly" : days < 60 ? "firm" : "final";
  const opening = {
    friendly: `Dear ${customer.name}, did our invoice get lost?`,
    firm: `Dear ${customer.name}, our invoice is ${days} days old.`,
    final: `${customer.name}: this is the last reminder before we hand the case over.`,
  } satisfies Record<typeof tone, string>;
  return {
    to: customer.email,
    subject: `Order ${order.id}: ${format(due)} open`,
    body: [opening[tone], "", `Amount due: ${format(due)}`, `Order: ${order.id}`].join("\n"),
  };
}

class MailSink implements Sink<Mail> {
  readonly name = "mail";
  private sent = 0;
  declare private readonly brand: unique symbol;

  constructor(private_limit?: number, readonly_dry?: boolean) {
    this.limit = private_limit ?? 100;
    this.dry = readonly_dry ?? false;
  }

  limit: number;
  dry: boolean;

  async write(mail: Mail): Promise<void> {
    if (this.sent >= this.limit) throw new ReportError("too-many", `more than ${this.limit} mails`);
    this.sent += 1;
    if (!this.dry) await sendMail(mail);
  }
}

async function deliver<T>(items: readonly T[], sink: Sink<T>): Promise<Result<number>[]> {
  const results: Result<number>[] = [];
  for (const [index, item] of items.entries()) {
    try {
      await sink.write(item);
      results.push(ok(index));
    } catch (reason: unknown) {
      results.push(fail(ReportError.wrap(reason, "delivery")));
    }
  }
  await sink.close?.();
  return results;
}

const now: Date = new Date("2026-01-31T00:00:00Z");
const loadCustomers = cached(async (): Promise<Customer[]> => collect(pages<Customer>(fetchCustomers, 500)));

const [orders, payments, customers] = await Promise.all([
  collect(pages<Order>(fetchOrders, 1_000)),
  collect(pages<Payment>(fetchPayments, 5_000)),
  loadCustomers(),
] as const);

const matcher = new Matcher(payments, customers);
const byRegion: Mutable<Partial<Record<Region, Matched[]>>> = {};
const problems: ReportError[] = [];
for (const order of orders) {
  const entry = matcher.match(order);
  const region = regionOf(entry.customer);
  if (region.ok) (byRegion[region.value] ??= []).push(entry);
  else problems.push(region.error as ReportError);
}

const summaries = REGIONS.map((region): Summary => summarize(region, byRegion[region] ?? [], matcher, now));
const mails = summaries.flatMap(summary => summary.late).map(entry => reminder(entry, now)).filter((mail): mail is Mail => mail !== null);
const delivered = await deliver<Mail>(mails, new MailSink(50, true));
const failures = delivered.filter((result): result is Extract<typeof result, { ok: false }> => !result.ok);
type Sent = ArgumentsOf<typeof sendMail>[0];
export const drafts: Sent[] = mails;
export default {
  text: render(summaries), mails: mails.length, failures: failures.map(({ error }) => error.message),
  problems: problems.map(problem => problem.code), unmatched: matcher.finish().length,
};
