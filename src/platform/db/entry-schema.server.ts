// What one side sees of an entry that both sides agree on (docs/design/agreements.md).
import type { ColumnType, Generated } from 'kysely'
import type { RecordsId } from '#kernel/id.ts'
import type { Currency } from '#kernel/money.ts'

export type Stamp = ColumnType<Date, never, Date>
/** A side's answer about the current facts. */
type Answer = 'none' | 'confirmed' | 'disputed'
type Standing = 'own' | 'waiting' | 'verified' | 'disputed' | 'leaving'

/** The facts that a side proposes, by column, or that the entry should go. */
type StoredProposal = Record<string, string | number | boolean | object | null> | { is_removed: true }

/** A column that only the database sets. */
export type Read<T> = ColumnType<T, never, never>

/** What one side sees of a session, a payment or terms. */
export interface Entry {
  key: Read<number>
  id: Generated<string>
  workspace_id: RecordsId
  student_id: string | null
  tutor_id: string | null
  day: string
  currency: Read<Currency>
  facts_version: Read<number>
  own_answer: 'confirmed' | 'disputed' | null
  own_answer_version: number | null
  own_answer_note: string | null
  other_answer_note: Read<string | null>
  own_proposal: ColumnType<StoredProposal | null>
  other_proposal: Read<StoredProposal | null>
  other_took_part: Read<boolean>
  own_says: Read<Answer>
  other_says: Read<Answer>
  standing: Read<Standing>
  waits_for_you: Read<boolean>
  deletion_asked_by: 'family' | 'practice' | null
  deletion_asked_at: Date | null
  deletion_by: Read<'you' | 'other' | null>
  asked_since: Read<Date | null>
  reminders: Read<number>
  reminded_at: Read<Date | null>
  is_read_only: Read<boolean>
  version: Generated<number>
  own_version: Read<number>
  created_at: Stamp
  updated_at: Stamp
}

export interface Lesson {
  minutes: number
  rate_override_cents: number | null
  tutor_rate_cents: number | null
  lesson_price_cents: number | null
  lesson_price_minutes: number | null
  total_cents: Read<number | null>
  subject: string | null
  start_time: string | null
  summary: string | null
  homework: string | null
}
