// Compares the sign-offs in an export with the sessions in it.
import { type SignedLine, signedText } from '#features/months/sign-off.ts'
import type { SeenEntry } from '#features/agreements/history.ts'
import { inMilliseconds, sha256 } from './histories.ts'
import type { Entry } from './kinds.ts'
import { counted, type Report } from './report.ts'
import { type Row, rowsOf } from './tables.ts'
import type { Zip } from './zip.ts'

/**
 * A sign-off keeps only a hash of a month's sessions. Whether it's what was signed, or was changed afterward, as it may
 * be, can't be told from that, so a difference is no problem.
 */
export class SignOffChecker {
  #report: Report
  #signed: Row[] = []
  /** What counts for the sign-offs of a month with a tutor. Undefined once something in it isn't confirmed. */
  #lines = new Map<string, SignedLine[] | undefined>()

  constructor(report: Report) {
    this.#report = report
  }

  async read(zip: Zip): Promise<void> {
    for await (const row of rowsOf(zip, 'sign_offs', (problem) => this.#report.problems.push(problem))) {
      this.#signed.push(row)
      this.#lines.set(monthWith(row), [])
    }
  }

  /** Whether an entry's history is asked for. */
  concerns({ kind }: Entry, row: Row): boolean {
    return kind === 'session' && row.waits_on_same_lessons !== true && this.#lines.has(monthOfLesson(row))
  }

  add({ id, facts }: Entry, row: Row, history: SeenEntry[]): void {
    const month = monthOfLesson(row)
    const [first] = history
    const confirmed = confirming(history)
    const lines = this.#lines.get(month)
    if (facts.state !== 'verified' || row.deletion_asked_by !== null || !first || !confirmed)
      return void this.#lines.set(month, undefined)
    lines?.push({
      session_id: id,
      day: String(row.date),
      minutes: Number(facts.minutes),
      rate_cents: facts.rate_cents as number | null,
      total_cents: facts.total_cents as number | null,
      logged_at: inMilliseconds(first.at),
      confirmed_at: inMilliseconds(confirmed.at),
      confirmed_entry: confirmed.hash,
    })
  }

  finish(): void {
    const isAsSigned = (row: Row) => {
      const lines = this.#lines.get(monthWith(row))
      return (
        lines !== undefined && sha256(signedText(String(row.month), String(row.tutor_id), lines)) === row.hash
      )
    }
    const changed = this.#signed.filter((row) => !isAsSigned(row))
    const same = this.#signed.length - changed.length
    this.#report.checked.push(`${counted(this.#signed.length, 'sign-off')} (${same} of them as signed)`)
    for (const { month, code } of changed)
      this.#report.notes.push(
        `the sign-off of ${String(month)} with the code ${String(code)}: its sessions aren’t what was signed any more.`,
      )
  }
}

const monthWith = ({ month, tutor_id: tutor }: Row) => `${String(month)} ${String(tutor)}`
const monthOfLesson = ({ date, tutor_id }: Row) => monthWith({ month: String(date).slice(0, 7), tutor_id })

/** The entry that verified a session. features/months has the same for the database, as CONFIRMING. */
function confirming(history: SeenEntry[]): SeenEntry | undefined {
  const own = history.filter(({ chain }) => chain === 1)
  const isVerified = (entry: SeenEntry | undefined) =>
    entry !== undefined && (JSON.parse(entry.facts) as Row).state === 'verified'
  const last = own.findLast(
    ({ action }, at) =>
      action === 'confirmed' || action === 'accepted' || (action === 'merged' && !isVerified(own[at - 1])),
  )
  return last ?? history.findLast(({ chain }) => chain === 2)
}
