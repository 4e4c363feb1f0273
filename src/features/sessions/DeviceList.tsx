import { CloudUpload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { inOneLine } from '#kernel/isolate.ts'
import { monthLabel } from '#kernel/month.ts'
import { resolveRefusal } from '#platform/api.web.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { LogRow } from '#platform/ui/LogRow.tsx'
import { sessionMoney } from './SessionRow.tsx'
import { sessionName } from './standing-text.ts'
import {
  closedMonthOf,
  isStranded,
  looksSame,
  mayEdit,
  tryAgain,
  type WaitingSession,
  without,
} from './waiting.ts'
import { changeWaiting, sendNow, useWaiting } from './waiting.web.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('#platform/ui/ConfirmDialog.tsx')).ConfirmDialog,
}))

const WaitingDialog = lazy(async () => ({ default: (await import('./WaitingDialog.tsx')).WaitingDialog }))

const STRANDED = "You're no longer a member of the workspace where you logged this, so it can't be sent."

/**
 * Sessions waiting on this device, for one month (yyyy-MM) or all months. The user can open, resend or
 * discard each one.
 */
export default function DeviceList({ month }: { month: string }) {
  const me = useMe()
  const userId = me.id
  const waiting = useWaiting(me).filter(({ shown }) => shown.date.startsWith(month))
  const [leaving, setLeaving] = useState<WaitingSession>()
  const [openedId, setOpenedId] = useState<string>()
  // Becomes undefined once the session is sent, which closes the sheet.
  const opened = waiting.find(({ id }) => id === openedId)
  if (waiting.length === 0) return null
  const drop = (id: string) => changeWaiting(userId, (queue) => without(queue, id))
  const discard = async () => {
    if (leaving) await drop(leaving.id)
    setLeaving(undefined)
  }
  const send = async (change: (queue: WaitingSession[]) => WaitingSession[]) => {
    await changeWaiting(userId, change)
    await sendNow()
  }
  return (
    <section className="mt-4" aria-label="Waiting to be sent">
      <ul className="card list overflow-hidden">
        {waiting.map((item) => (
          <WaitingRow
            key={item.id}
            item={item}
            onOpen={() => setOpenedId(item.id)}
            onDiscard={() => setLeaving(item)}
            onAgain={() => void send((queue) => tryAgain(queue, item.id))}
          />
        ))}
      </ul>
      <p className="mt-2 text-small text-ink-2">
        Kept on this device.{' '}
        {waiting.some((item) => item.refusal && !looksSame(item))
          ? "Fix or discard what wasn't accepted. The rest will be sent automatically."
          : 'It will be sent automatically and then added to the totals.'}
      </p>
      {opened && (
        <Suspense fallback={null}>
          <WaitingDialog item={opened} onClose={() => setOpenedId(undefined)} />
        </Suspense>
      )}
      {leaving && (
        <Suspense fallback={null}>
          <ConfirmDialog
            title="Discard Session"
            text={`The session with ${leaving.shown.student} hasn't been sent. Discarding it will delete it from this device.`}
            confirmLabel="Discard"
            busyText="Discarding..."
            isBusy={false}
            onConfirm={() => void discard()}
            onCancel={() => setLeaving(undefined)}
          />
        </Suspense>
      )}
    </section>
  )
}

interface WaitingRowProps {
  item: WaitingSession
  onOpen: () => void
  onDiscard: () => void
  onAgain: () => void
}

function WaitingRow({ item, onOpen, onDiscard, onAgain }: WaitingRowProps) {
  const { currency, workspace, can_see_amounts: seesAmounts } = useMe()
  const { shown } = item
  const refusal = looksSame(item) ? undefined : item.refusal
  const what = inOneLine([shown.subject, hoursInWords(shown.hours)])
  const closed = closedMonthOf(item)
  const reopen = async () => {
    if (item.refusal && (await resolveRefusal(item.refusal))) onAgain()
  }
  const actions = (
    <div className="mt-2 flex flex-wrap gap-2">
      {closed && (
        <Button
          size="small"
          tone="secondary"
          aria-label={`Reopen ${monthLabel(closed.month)} and send, ${shown.student}`}
          onClick={() => void reopen()}
        >
          Reopen {monthLabel(closed.month)} and send
        </Button>
      )}
      {mayEdit(item) && (
        <ButtonLink
          size="small"
          tone="secondary"
          to={`${paths.addSession}?waiting=${item.id}`}
          aria-label={`Edit session, ${shown.student}`}
        >
          Edit
        </ButtonLink>
      )}
      {refusal && !mayEdit(item) && (!isStranded(item) || item.workspace === workspace?.id) && (
        <Button size="small" tone="secondary" aria-label={`Try again, ${shown.student}`} onClick={onAgain}>
          Try again
        </Button>
      )}
      <Button size="small" tone="quiet" aria-label={`Discard session, ${shown.student}`} onClick={onDiscard}>
        Discard
      </Button>
    </div>
  )
  return (
    <LogRow
      day={shown.date as CalendarDay}
      title={shown.student}
      link={{
        href: paths.summary,
        label: sessionName({ student_name: shown.student, date: shown.date }),
        onOpen,
      }}
      amount={seesAmounts ? sessionMoney(shown.amount, currency) : undefined}
      detail={
        <>
          {what}
          <br />
          {shown.tutor}
        </>
      }
      note={
        refusal ? (
          <>
            <Badge tone={closed ? 'warn' : 'danger'}>{closed ? 'Needs a reason' : 'Not accepted'}</Badge>
            <p className="mt-1 text-small text-danger">
              {isStranded(item) ? STRANDED : (refusal.errors?.[0]?.message ?? refusal.title)}
            </p>
            {actions}
          </>
        ) : (
          <>
            <span className="ver">
              <CloudUpload className="size-4" aria-hidden="true" />
              Waiting to be sent
            </span>
            {(item.tries === 0 || item.notBefore > 0) && actions}
          </>
        )
      }
    />
  )
}
