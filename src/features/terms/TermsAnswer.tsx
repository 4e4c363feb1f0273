import { useState } from 'react'
import { DeletionDialog, DisputeDialog } from '#features/agreements/AnswerDialogs.tsx'
import { AnswerButtons, AnswerLink, DeletionButtons } from '#features/agreements/AnswerRow.tsx'
import { useAnswers } from '#features/agreements/client.web.ts'
import { late } from '#platform/ui/late.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { capital, termsKind } from './client.web.ts'
import { Sentences } from './Sentences.tsx'
import type { Terms } from './terms.ts'

const TermsDialog = late(async () => (await import('./TermsDialog.tsx')).TermsDialog)

interface TermsAnswerProps {
  terms: Terms
  /** What applies until these are agreed. */
  applying: Terms | undefined
  /** What to call the other side within a sentence. */
  other: string
  /** Whether the answer is the page's primary button. */
  isPrimary?: boolean | undefined
  /** An emailed page shows what happened in place, and proposes no other terms. */
  isEmailed?: boolean
}

/** Terms that wait for the reader: what they say, what's different, and the answers. */
export function TermsAnswer({ terms, applying, other, isPrimary, isEmailed = false }: TermsAnswerProps) {
  const kind = termsKind(other)
  const answers = useAnswers<Terms>(kind, isEmailed)
  const [open, setOpen] = useState<'dispute' | 'deletion' | 'other terms'>()
  const close = () => setOpen(undefined)
  const { proposal } = terms
  const problem = answers.problemOf(terms)
  const buttons = { name: kind.nameOf(terms), busy: answers.busyWith(terms), className: 'md:max-w-sm' }
  const isProposal = proposal?.by === 'other'
  useReopen('terms-note', [terms], () => setOpen('dispute'))
  const before = applying && applying.id !== terms.id ? applying.sentences : undefined
  return (
    <>
      <p className="mb-2 font-semibold wrap-anywhere">{askOf(terms, capital(other))}</p>
      {terms.dispute_note && <p className="mb-2 wrap-anywhere text-ink-2">“{terms.dispute_note}”</p>}
      {!(isProposal && proposal.is_removal) && (
        <Sentences
          sentences={isProposal ? proposal.sentences : terms.sentences}
          before={isProposal ? terms.sentences : before}
        />
      )}
      {terms.deletion_asked_by === 'other' ? (
        <DeletionButtons
          {...buttons}
          agree="End them"
          keep="Keep them"
          onDelete={() => setOpen('deletion')}
          onKeep={() => void answers.keep(terms)}
        />
      ) : (
        <AnswerButtons
          {...buttons}
          yes="Agree"
          isPrimary={isPrimary}
          onConfirm={() => void (isProposal ? answers.accept(terms) : answers.confirm(terms))}
          onDispute={() => setOpen('dispute')}
        />
      )}
      {!isEmailed && terms.deletion_asked_by === null && (
        <AnswerLink label="Propose other terms" name={buttons.name} onClick={() => setOpen('other terms')} />
      )}
      {problem && (
        <p role="alert" className="err mt-2">
          {problem}
        </p>
      )}
      {open === 'dispute' && <DisputeDialog kind={kind} entry={terms} onClose={close} />}
      {open === 'deletion' && <DeletionDialog answers={answers} entry={terms} onClose={close} />}
      {open === 'other terms' && (
        <TermsDialog
          saving={{ answer: terms }}
          start={(isProposal ? proposal : terms).rules}
          before={terms.sentences}
          currency={terms.currency}
          other={other}
          onClose={close}
        />
      )}
    </>
  )
}

function askOf({ deletion_asked_by: leaving, proposal }: Terms, other: string): string {
  if (leaving === 'other') return `${other} asks to end these terms.`
  if (proposal?.by === 'other')
    return proposal.is_removal ? `${other} wants no terms.` : `${other} proposes other terms:`
  return `${other} proposes these terms:`
}
