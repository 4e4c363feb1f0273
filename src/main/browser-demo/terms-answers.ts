// The demo's terms: one list of versions that both sides share.
import type { Action } from '#features/agreements/history.ts'
import { type CalendarDay, dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import type { Endpoint } from '#kernel/endpoint.ts'
import type { TermsVersion } from '#features/payments/due.ts'
import { type Rules, rulesInDollars } from '#features/terms/rules.ts'
import { sentencesOf } from '#features/terms/sentences.ts'
import {
  AcceptTerms,
  ConfirmTerms,
  DeleteTerms,
  DisputeTerms,
  KeepTerms,
  ListTerms,
  ListWaitingTerms,
  ProposeTerms,
  ReadTerms,
  ReadTermsHistory,
  type Terms,
  type TermsHistoryEntry,
  UpdateTerms,
  WithdrawTermsConfirmation,
} from '#features/terms/terms.ts'
import { answers, type Ask, type Handler, refuse } from './answering.ts'
import { CONNECTION, CURRENCY, OTHER_NAMES, TUTOR } from './cast.ts'
import { type Answer, type DemoRecord, otherSide, type Side } from './record.ts'

/** A version of the demo's terms. */
export interface DemoTerms {
  id: string
  day: CalendarDay
  rules: Rules
  appliesFrom: CalendarDay | null
  endedOn: CalendarDay | null
  answers: Record<Side, Answer>
  notes: Record<Side, string | null>
  proposals: Record<Side, Rules | 'removal' | null>
  tookPart: Record<Side, boolean>
  leaving: Side | null
  askedAt: string
  version: number
  past: { at: string; side: Side; action: Action; note: string | null; terms: Omit<DemoTerms, 'past'> }[]
}

const said = (rules: Rules) => ({ rules: rulesInDollars(rules), sentences: sentencesOf(rules, CURRENCY) })
const isAgreed = ({ answers: of }: Pick<DemoTerms, 'answers'>) =>
  of.family === 'confirmed' && of.practice === 'confirmed'
const isDisputed = ({ answers: of }: Pick<DemoTerms, 'answers'>) =>
  of.family === 'disputed' || of.practice === 'disputed'

/** What decides when money is due. */
export function versionsOf({ terms }: DemoRecord, side: Side): TermsVersion[] {
  return terms.map(({ appliesFrom, endedOn, answers: of, rules }) => ({
    connection_id: CONNECTION,
    applies_from: appliesFrom,
    ended_on: endedOn,
    own_confirmation: of[side],
    other_confirmation: of[otherSide(side)],
    rules,
  }))
}

function toTerms(terms: DemoTerms, side: Side): Terms {
  const other = otherSide(side)
  const by = ([other, side] as const).find((one) => terms.answers[one] === 'disputed')
  const proposed = by && terms.proposals[by]
  const isProposing = terms.answers[other] === 'disputed' && terms.proposals[other] !== null
  return {
    id: terms.id,
    connection_id: CONNECTION,
    tutor_id: side === 'family' ? TUTOR.id : null,
    student_id: null,
    other_name: OTHER_NAMES[side],
    date: terms.day,
    ...said(terms.rules),
    currency: CURRENCY,
    applies_from: terms.appliesFrom,
    ended_on: terms.endedOn,
    own_confirmation: terms.answers[side],
    other_confirmation: terms.answers[other],
    dispute_note: by ? terms.notes[by] : null,
    proposal:
      by && proposed
        ? {
            by: by === side ? 'you' : 'other',
            is_removal: proposed === 'removal',
            ...said(proposed === 'removal' ? terms.rules : proposed),
          }
        : null,
    deletion_asked_by: terms.leaving && (terms.leaving === side ? 'you' : 'other'),
    is_shared: true,
    waits_for_you: terms.leaving ? terms.leaving === other : terms.answers[side] === 'none' || isProposing,
    asked_at: terms.askedAt,
    reminders: 0,
    reminded_at: null,
    is_read_only: false,
    version: terms.version,
  }
}

function termsOf(endpoint: Endpoint, { record, id, version }: Ask<Endpoint>): DemoTerms {
  const terms = record.terms.find((one) => one.id === id)
  if (!terms) return refuse(endpoint, 'not_found')
  if (version !== undefined && version !== terms.version) refuse(endpoint, 'changed')
  return terms
}

/** Records what a side did, and the day on which both agreed. */
function happened(
  { record, side }: Ask<Endpoint>,
  terms: DemoTerms,
  action: Action,
  wasAgreed: boolean,
): Terms {
  const now = record.clock()
  if (!wasAgreed && isAgreed(terms)) terms.appliesFrom = dayIn(now)
  terms.tookPart[side] ||= terms.answers[side] === 'confirmed'
  terms.version += 1
  terms.askedAt = now.toISOString()
  const { past, ...copy } = terms
  const note = action === 'disputed' ? terms.notes[side] : null
  past.push({ at: terms.askedAt, side, action, note, terms: { ...copy, answers: { ...copy.answers } } })
  return toTerms(terms, side)
}

/** Gives the rules and this side's yes, and the other's too if they're what it proposed. */
function setRules(terms: DemoTerms, side: Side, rules: Rules, other: Answer): void {
  terms.rules = rules
  terms.answers = { [side]: 'confirmed', [otherSide(side)]: other } as Record<Side, Answer>
  terms.notes = { family: null, practice: null }
  terms.proposals = { family: null, practice: null }
}

/** Removes a version. Ending the terms that apply ends earlier ones for good. */
function remove({ record }: Ask<Endpoint>, terms: DemoTerms): undefined {
  record.terms = record.terms.filter((one) => one !== terms)
  if (terms.appliesFrom === null) return
  for (const one of record.terms) if (one.appliesFrom) one.endedOn ??= record.today()
}

const propose = answers(ProposeTerms, (ask) => {
  const { record, side, input } = ask
  if (record.terms.some((one) => !isAgreed(one))) refuse(ProposeTerms, 'terms_waiting')
  const terms: DemoTerms = {
    id: newId(),
    day: record.today(),
    rules: input.rules,
    appliesFrom: null,
    endedOn: null,
    answers: { family: 'none', practice: 'none' },
    notes: { family: null, practice: null },
    proposals: { family: null, practice: null },
    tookPart: { family: false, practice: false },
    leaving: null,
    askedAt: '',
    version: 0,
    past: [],
  }
  setRules(terms, side, input.rules, 'none')
  record.terms = [terms, ...record.terms]
  return happened(ask, terms, 'logged', false)
})

const update = answers(UpdateTerms, (ask) => {
  const terms = termsOf(UpdateTerms, ask)
  if (isAgreed(terms) || terms.leaving) refuse(UpdateTerms, 'terms_stay')
  setRules(terms, ask.side, ask.input.rules, 'none')
  return happened(ask, terms, 'changed', false)
})

const confirm = answers(ConfirmTerms, (ask) => {
  const terms = termsOf(ConfirmTerms, ask)
  const wasAgreed = isAgreed(terms)
  terms.answers[ask.side] = 'confirmed'
  return happened(ask, terms, 'confirmed', wasAgreed)
})

const dispute = answers(DisputeTerms, (ask) => {
  const terms = termsOf(DisputeTerms, ask)
  const { note = null, proposal } = ask.input
  const proposed = proposal?.is_removal ? 'removal' : (proposal?.rules ?? null)
  if (!note && !proposed) refuse(DisputeTerms, 'says_nothing')
  terms.answers[ask.side] = 'disputed'
  terms.notes[ask.side] = note
  terms.proposals[ask.side] = proposed
  return happened(ask, terms, 'disputed', false)
})

const accept = answers(AcceptTerms, (ask) => {
  const terms = termsOf(AcceptTerms, ask)
  const proposed = terms.proposals[otherSide(ask.side)]
  if (!proposed) return refuse(AcceptTerms, 'not_proposed')
  if (proposed === 'removal') return remove(ask, terms)
  setRules(terms, ask.side, proposed, 'confirmed')
  return happened(ask, terms, 'accepted', false)
})

const end = answers(DeleteTerms, (ask) => {
  const terms = termsOf(DeleteTerms, ask)
  const other = otherSide(ask.side)
  if (!terms.tookPart[other] || terms.leaving === other) return remove(ask, terms)
  terms.leaving = ask.side
  const { version } = happened(ask, terms, 'deletion asked', true)
  return { code: 'deletion_requested' as const, version }
})

export const TERMS_ANSWERS: readonly Handler[] = [
  propose,
  update,
  confirm,
  dispute,
  accept,
  end,
  answers(ListTerms, ({ record, side }) => ({ terms: record.terms.map((one) => toTerms(one, side)) })),
  answers(ListWaitingTerms, ({ record, side }) => {
    const terms = record.terms.map((one) => toTerms(one, side))
    return {
      terms: terms.filter((one) => one.waits_for_you),
      sent_back: terms.filter((one) => !one.waits_for_you && one.other_confirmation === 'disputed'),
    }
  }),
  answers(ReadTerms, (ask) => toTerms(termsOf(ReadTerms, ask), ask.side)),
  answers(WithdrawTermsConfirmation, (ask) => {
    const terms = termsOf(WithdrawTermsConfirmation, ask)
    terms.answers[ask.side] = 'none'
    terms.notes[ask.side] = null
    terms.proposals[ask.side] = null
    return happened(ask, terms, 'withdrawn', false)
  }),
  answers(KeepTerms, (ask) => {
    const terms = termsOf(KeepTerms, ask)
    if (!terms.leaving) refuse(KeepTerms, 'not_asked')
    terms.leaving = null
    return happened(ask, terms, 'kept', true)
  }),
  answers(ReadTermsHistory, (ask) => ({
    entries: termsOf(ReadTermsHistory, ask).past.map(
      ({ at, side, action, note, terms }, index): TermsHistoryEntry => ({
        seq: index + 1,
        chain: 1,
        at,
        by: side === ask.side ? 'you' : 'other',
        member_name: null,
        is_by_handed_link: false,
        action,
        changed: action === 'changed' || action === 'accepted' ? ['rules'] : [],
        note,
        state: isAgreed(terms) ? 'verified' : isDisputed(terms) ? 'disputed' : 'unverified',
        hash: null,
        date: terms.day,
        ...said(terms.rules),
        currency: CURRENCY,
      }),
    ),
  })),
]
