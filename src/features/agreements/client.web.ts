// Answering anything that two sides agree on: the calls of each kind, and the hook that sends them.
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '#kernel/endpoint.ts'
import type { Currency } from '#kernel/money.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import type { Note } from '#platform/ui/note.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import type { Agreed } from './answer.ts'
import type { SaidOfAmount, WithAmount } from './other-amount.ts'

/** An entry's id and the version that the reader saw. */
export interface Seen {
  id: string
  version: number
}

/** Reloads all data after a call. Also if it failed, because what's on screen may be out of date. */
export async function refreshed<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer
  } finally {
    void queryClient.invalidateQueries()
  }
}

type Answering<Input, Output extends z.ZodMiniType> = Endpoint<z.ZodMiniType<unknown, Input>, Output>
type AnsweringAny = Answering<object, z.ZodMiniType>

/**
 * The calls that answer about one kind of entry, from a signed-in account or an emailed page. Each throws
 * CallFailed on failure.
 */
export function callsOf<Entry extends z.ZodMiniType, Said extends object>(of: {
  confirm: Answering<object, Entry>
  withdraw: AnsweringAny
  dispute: Answering<Said, z.ZodMiniType>
  accept: AnsweringAny
  keep: AnsweringAny
  remove: AnsweringAny
}) {
  return {
    confirm: ({ id, version }: Seen) => refreshed(call(of.confirm, {}, { id, version })),
    // Doesn't send a version, because withdrawing always applies to the current one.
    withdraw: ({ id }: Seen) => refreshed(call(of.withdraw, {}, { id })),
    dispute: ({ id, version }: Seen, said: Said) => refreshed(call(of.dispute, said, { id, version })),
    /** Accepts what the other side proposed. */
    accept: ({ id, version }: Seen) => refreshed(call(of.accept, {}, { id, version })),
    /** Declines or withdraws a request to delete the entry. */
    keep: ({ id, version }: Seen) => refreshed(call(of.keep, {}, { id, version })),
    remove: ({ id, version }: Seen) => refreshed(call(of.remove, {}, { id, version })),
  }
}

/** What an answer that's being sent does. */
export type Action = 'confirm' | 'withdraw' | 'accept' | 'keep' | 'remove'

/** What the form for a dispute's note says. */
export interface DisputeWords extends Pick<Note, 'draft' | 'help' | 'maxLength' | 'missing'> {
  title: string
  send: string
  label: string
  failure: string
  /** What the entry is, with its name on a line of its own if there's one. */
  name?: string
  facts: string
  sent: readonly [title: string, message: string]
}

/** What to call a kind of entry when answering it, and its calls. */
export interface AnsweredKind<Entry> {
  calls: Pick<ReturnType<typeof callsOf>, 'withdraw' | 'accept' | 'keep' | 'remove'> & {
    confirm: (entry: Entry) => Promise<{ version: number }>
  }
  /** Confirms several at once. Kinds that are only confirmed one by one leave it out. */
  confirmAll?: (entries: readonly Entry[]) => Promise<{ confirmed: string[]; changed: string[] }>
  /** Identifies an entry in the labels of its buttons. */
  nameOf: (entry: Entry) => string
  confirmed: (entries: readonly Entry[]) => string
  /** Said if some of several entries had changed, and weren't confirmed. */
  changed?: readonly [title: string, message: string]
  kept: readonly [title: string, message?: string]
  deleted: string
  accepted: string
  failed: Record<Action, string>
  /** The codes of refusals whose own title is shown instead of `failed`. All of them if omitted. */
  told?: readonly string[]
  /** The question before an entry is deleted. */
  deletionWords: (entry: Entry) => { title: string; text: string }
}

/** A kind whose disputes are a note or, if entries have an amount, what would be right. */
export interface NotedKind<Entry> extends AnsweredKind<Entry> {
  dispute: (entry: Seen, said: { note: string }) => Promise<unknown>
  disputeWords: (entry: Entry) => DisputeWords
  propose?: {
    /** What can be proposed about. Undefined if a note is all there is to say. */
    of: (entry: Entry) => (WithAmount & { currency: Currency }) | undefined
    send: (entry: Seen, said: SaidOfAmount) => Promise<unknown>
    sent: (entry: Entry) => readonly [title: string, message: string]
  }
}

/** What the hook needs to know about an entry. */
export type Answerable = Seen & Pick<Agreed, 'own_confirmation'> & { date: string }

/**
 * Sends answers about entries of one kind. Tracks those being sent and those just given, so that a second tap
 * neither repeats an answer nor hits the next row.
 * @param isInline leaves it to the rows to show that an answer was saved, or the problem
 */
export function useAnswers<Entry extends Answerable>(kind: AnsweredKind<Entry>, isInline = false) {
  const toast = useToast()
  const [busy, setBusy] = useState<ReadonlyMap<string, Action>>(new Map())
  const [problem, setProblem] = useState<{ ids: string[]; text: string }>()
  const [fresh, setFresh] = useState<readonly string[]>([])
  const [kept, setKept] = useState<readonly Entry[]>([])
  const { calls } = kind
  const say: typeof toast.success = (...said) => isInline || toast.success(...said)
  const run = async (action: Action, entries: readonly Entry[], work: () => Promise<unknown>) => {
    const ids = entries.map(({ id }) => id)
    if (ids.some((id) => busy.has(id))) return false
    setBusy((now) => new Map([...now, ...ids.map((id) => [id, action] as const)]))
    setProblem(undefined)
    try {
      await work()
      return true
    } catch (error) {
      const text = problemOf(error, kind, action)
      if (isInline) setProblem({ ids, text })
      else toast.error('Error', text)
      return false
    } finally {
      setBusy((now) => new Map([...now].filter(([id]) => !ids.includes(id))))
    }
  }
  /** Keeps a confirmed entry in its place, although it's no longer waiting. */
  const stay = (confirmed: Entry) => {
    setFresh((now) => [...now, confirmed.id])
    setKept((now) => [...now.filter(({ id }) => id !== confirmed.id), confirmed])
  }
  const withdraw = (...entries: readonly Entry[]) =>
    run('withdraw', entries, async () => {
      for (const entry of entries) await calls.withdraw(entry)
      setKept((now) => now.filter(({ id }) => entries.every((entry) => entry.id !== id)))
    })
  const confirm = (...entries: readonly Entry[]) =>
    run('confirm', entries, async () => {
      const [only, ...others] = entries
      const undo = { label: 'Undo', run: () => void withdraw(...entries) }
      if (only && others.length === 0) {
        stay(confirmedOf(only, (await calls.confirm(only)).version))
        return say(kind.confirmed(entries), undefined, undo)
      }
      const { confirmed, changed } = (await kind.confirmAll?.(entries)) ?? { confirmed: [], changed: [] }
      setFresh((now) => [...now, ...confirmed])
      if (changed.length > 0 && kind.changed) return toast.error(...kind.changed)
      say(kind.confirmed(entries), undefined, undo)
    })
  const accept = (entry: Entry) =>
    run('accept', [entry], async () => {
      await calls.accept(entry)
      say(kind.accepted)
    })
  const keep = (entry: Entry) =>
    run('keep', [entry], async () => {
      await calls.keep(entry)
      say(...kind.kept)
    })
  const remove = (entry: Entry) =>
    run('remove', [entry], async () => {
      await calls.remove(entry)
      say(kind.deleted)
    })
  return {
    kind,
    busyWith: ({ id }: Pick<Seen, 'id'>) => busy.get(id),
    problemOf: ({ id }: Pick<Seen, 'id'>) => (problem?.ids.includes(id) ? problem.text : undefined),
    /** Whether an entry was just confirmed here. */
    isFresh: ({ id }: Pick<Seen, 'id'>) => fresh.includes(id),
    kept,
    /** The waiting entries and those that stay in their place, in the order of the server's lists. */
    listed: (waiting: readonly Entry[]) =>
      [...waiting, ...kept.filter(({ id }) => waiting.every((entry) => entry.id !== id))].sort(newestFirst),
    stay,
    confirm,
    withdraw,
    accept,
    keep,
    remove,
  }
}

export type Answers<Entry extends Answerable> = ReturnType<typeof useAnswers<Entry>>

/** An entry as it looks once the reader's side has confirmed it. */
export function confirmedOf<Entry extends Answerable>(entry: Entry, version: number): Entry {
  return {
    ...entry,
    version,
    own_confirmation: 'confirmed',
    dispute_note: null,
    waits_for_you: false,
    asked_at: null,
  }
}

function problemOf(error: unknown, { told, failed }: AnsweredKind<never>, action: Action): string {
  const isTold = error instanceof CallFailed && (told?.includes(error.problem.code) ?? true)
  return isTold ? error.problem.title : failed[action]
}

function newestFirst(one: Answerable, other: Answerable): number {
  return other.date.localeCompare(one.date) || other.id.localeCompare(one.id)
}
