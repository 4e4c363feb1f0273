import { type ReactNode, useState } from 'react'
import { late } from '#platform/ui/late.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { DeletionDialog } from '#features/agreements/AnswerDialogs.tsx'
import { confirmedOf, useAnswers } from '#features/agreements/client.web.ts'
import { confirmWithWords, sessionAnswers, sessionKind } from './client.web.ts'
import { isThisMonth, type SharedSession } from './confirmation.ts'
import { eachWords, type WordsField } from './lesson-words.ts'
import { capital, otherSide, sessionName } from './standing-text.ts'
import { ToConfirmRow } from './ToConfirmRow.tsx'

const SummaryDialog = late(async () => (await import('./SummaryDialog.tsx')).SummaryDialog)
const NotRightDialog = late(async () => (await import('./NotRightForm.tsx')).NotRightDialog)

interface AnswerListProps {
  /** The sessions that wait for the reader. */
  sessions: SharedSession[]
  /** The side that's answering. */
  reader: Side
  /**
   * Whether the reader shares sessions with more than one person. If so, each row names the other side, even
   * if all listed sessions are with the same person.
   */
  hasSeveral?: boolean
  /** Groups the waiting and just-answered sessions. Only the sessions in these groups are listed. */
  groups: (listed: SharedSession[]) => AnswerGroup[]
}

/** A group of rows under one heading. */
export interface AnswerGroup {
  key: string
  heading: ReactNode
  rows: SharedSession[]
}

/** Waiting sessions with buttons to answer each. One that was just answered stays in its place. */
export function AnswerList({ hasSeveral = false, groups, sessions, reader }: AnswerListProps) {
  const [disputed, setDisputed] = useState<SharedSession>()
  const [left, setLeft] = useState<SharedSession>()
  const [written, setWritten] = useState<SharedSession>()
  const toast = useToast()
  useReopen('dispute', sessions, (session) => session !== 'new' && setDisputed(session))
  useReopen('summary', sessions, (session) => session !== 'new' && setWritten(session))
  const answers = useAnswers<SharedSession>({
    ...sessionKind(reader),
    told: ['other_closed', 'month_closed'],
  })
  const { busyWith, confirm, accept, keep, withdraw, kept, listed, stay } = answers
  const showsOther = hasSeveral || new Set(sessions.map((session) => session.connection_id)).size > 1
  // One that has since been sent back is no longer listed.
  const stays = listed(sessions).filter(
    ({ id, waits_for_you: waits }) => waits || sessions.every((session) => session.id !== id),
  )
  /** Confirms a session with what's written about it. */
  const write = async (session: SharedSession, words: Record<WordsField, string>) => {
    const { version } = await confirmWithWords(session, words)
    stay({
      ...(session.own_confirmation === 'confirmed' ? session : confirmedOf(session, version)),
      version,
      ...eachWords((field) => words[field].trim() || null),
    })
  }
  return (
    <>
      {groups(stays).map(({ key, heading, rows }) => (
        <section key={key}>
          {heading}
          <ul className="card list overflow-hidden">
            {rows.map((session) => (
              <ToConfirmRow
                key={session.id}
                session={session}
                reader={reader}
                showsOther={showsOther}
                showsMonth={!isThisMonth(session)}
                isCompact
                busy={busyWith(session)}
                onWrite={() => setWritten(session)}
                {...(session.waits_for_you
                  ? {
                      onConfirm: () => void (session.proposal?.by === 'other' ? accept : confirm)(session),
                      onDispute: () => setDisputed(session),
                      onKeep: () => void keep(session),
                      onDelete: () => setLeft(session),
                    }
                  : { isDrawn: true, onWithdraw: () => void withdraw(session) })}
              />
            ))}
          </ul>
        </section>
      ))}
      {left && <DeletionDialog answers={answers} entry={left} onClose={() => setLeft(undefined)} />}
      {written && (
        <SummaryDialog
          session={[...sessions, ...kept].find(({ id }) => id === written.id) ?? written}
          reader={reader}
          onSend={write}
          onClose={() => setWritten(undefined)}
        />
      )}
      {disputed && (
        <NotRightDialog
          session={disputed}
          facts={sessionName(disputed)}
          other={otherSide(reader, disputed.other_name)}
          onSend={async (said) => {
            await sessionAnswers.dispute(disputed, said)
            const other = capital(otherSide(reader, disputed.other_name))
            toast.success('Sent', `${other} will see it, and can accept or answer.`)
          }}
          onClose={() => setDisputed(undefined)}
        />
      )}
    </>
  )
}
