import { Pencil } from 'lucide-react'
import { useSide } from '#features/accounts/client.web.ts'
import { useSessionLink } from '#features/sessions/client.web.ts'
import { formatAmount } from '#kernel/money.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { addMonths, monthLabel } from '#kernel/month.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { Figure } from '#platform/ui/Card.tsx'
import { DataTable } from '#platform/ui/DataTable.tsx'
import { LogRow } from '#platform/ui/LogRow.tsx'
import { Notice } from '#platform/ui/Notice.tsx'
import { type RowLink, RowOpener } from '#platform/ui/RowLink.tsx'
import type { Balance, LedgerLine } from './balance.ts'
import {
  boughtOf,
  changeOf,
  dueOf,
  effectOf,
  explain,
  inHours,
  onItsWay,
  openLabel,
  prepaidWarning,
  titleOf,
} from './balance-text.ts'
import { standingWords } from './payment-words.ts'
import type { Payment } from './payment.ts'

interface LedgerProps {
  month: string
  balance: Balance
  lines: LedgerLine[]
  /** Left out if payments can't be changed. */
  onEdit?: (payment: Payment) => void
  /** Records what is due; left out as well. */
  onPay?: () => void
}

/** A balance explained: what was carried over, every session and payment with the balance after it, and what is due. */
export function Ledger({ month, balance, lines, onEdit, onPay }: LedgerProps) {
  const { currency } = balance
  const inMoney = (amount: number) => formatAmount(amount, currency)
  const reader = useSide()
  const warning = prepaidWarning(balance, currency)
  const linkTo = useSessionLink()
  const linkOf = (line: LedgerLine): RowLink | undefined => {
    const link = line.kind === 'session' ? linkTo(line) : undefined
    return link && { ...link, label: `${titleOf(line)}, ${shortDay(line)}` }
  }
  const shortDay = (line: LedgerLine) =>
    formatDay(line.date as CalendarDay, { month: 'short', day: 'numeric' })
  const edit = (line: LedgerLine) => {
    const { payment } = line
    return (
      payment &&
      onEdit && (
        <IconButton
          label={`Edit payment, ${inMoney(payment.amount)}, ${shortDay(line)}`}
          onClick={() => onEdit(payment)}
        >
          <Pencil className="size-[18px]" aria-hidden="true" />
        </IconButton>
      )
    )
  }
  const standing = ({ payment }: LedgerLine) => {
    const said = payment && standingWords(payment, reader)
    return said && <Badge tone={said.tone}>{said.words}</Badge>
  }
  const carried = `Carried over from ${monthLabel(addMonths(month, -1))}`
  return (
    <>
      <dl className="card figures lg:grid-cols-[1fr_1fr_1fr_2fr]">
        <div>
          <dt className="k">Carried over</dt>
          <Figure>{inMoney(balance.carried_over)}</Figure>
        </div>
        <div>
          <dt className="k">Sessions</dt>
          <Figure>{inMoney(balance.sessions_amount)}</Figure>
        </div>
        <div>
          <dt className="k">Paid</dt>
          <Figure>{inMoney(balance.paid_amount)}</Figure>
        </div>
        <div>
          <dt className="k">{openLabel(balance.balance)}</dt>
          <Figure>{inMoney(Math.abs(balance.balance))}</Figure>
          {onItsWay(balance, currency) && (
            <dd className="num text-small text-ink-2">{onItsWay(balance, currency)}</dd>
          )}
          {onPay && dueOf(balance) > 0 && (
            <dd className="mt-2">
              <Button size="small" onClick={onPay}>
                Mark as paid
              </Button>
            </dd>
          )}
        </div>
        {(balance.covered_amount > 0 || balance.other_amount > 0 || balance.hours_left > 0) && (
          <div className="col-span-full text-small text-ink-2">
            <dt className="sr-only">In detail</dt>
            <dd>{explain(balance, currency)}</dd>
          </div>
        )}
      </dl>
      {warning && (
        <div className="mt-4">
          <Notice>{warning}</Notice>
        </div>
      )}
      <section className="mt-5">
        <h2 className="mb-2.5">Line by line</h2>
        <div className="card overflow-hidden md:hidden">
          <p className="flex justify-between gap-3 px-4 py-3 text-small text-ink-2">
            <span>{carried}</span>
            <b className="num font-semibold whitespace-nowrap">{inMoney(balance.carried_over)}</b>
          </p>
          <ul className="list border-y border-line">
            {lines.map((line) => (
              <LogRow
                key={line.id}
                day={line.date as CalendarDay}
                title={titleOf(line)}
                link={linkOf(line)}
                detail={boughtOf(line, currency) ?? effectOf(line)}
                note={
                  <span className="num flex flex-wrap items-center gap-x-2 text-small text-ink-2">
                    {standing(line)}
                    {line.payment?.counts === false
                      ? 'Not in the balance'
                      : !standing(line) && `Balance ${inMoney(line.balance)}`}
                  </span>
                }
                amount={inMoney(changeOf(line))}
                action={edit(line)}
              />
            ))}
          </ul>
          <p className="flex justify-between gap-3 px-4 py-3">
            <span>{openLabel(balance.balance)} at the end</span>
            <b className="num font-semibold whitespace-nowrap">{inMoney(Math.abs(balance.balance))}</b>
          </p>
        </div>
        <div className="card overflow-hidden max-md:hidden">
          <DataTable
            label={`Balance with ${balance.name}, line by line`}
            columns={[
              { key: 'date', header: 'Date' },
              { key: 'what', header: 'What' },
              { key: 'hours', header: 'Hours', numeric: true },
              { key: 'charged', header: 'Owed', numeric: true },
              { key: 'paid', header: 'Paid', numeric: true },
              { key: 'balance', header: 'Balance', numeric: true, strong: true },
              ...(onEdit ? [{ key: 'actions' as const, header: 'Actions', numeric: true }] : []),
            ]}
            rows={[
              {
                id: 'carried',
                cells: {
                  date: '',
                  what: carried,
                  hours: '',
                  charged: '',
                  paid: '',
                  balance: inMoney(balance.carried_over),
                  actions: '',
                },
              },
              ...lines.map((line) => ({
                id: line.id,
                link: linkOf(line),
                cells: {
                  date: (
                    <span className="whitespace-nowrap">
                      {formatDay(line.date as CalendarDay, {
                        weekday: 'short',
                        month: 'short',
                        day: 'numeric',
                      })}
                    </span>
                  ),
                  what: (
                    <>
                      <Title of={line} link={linkOf(line)} />{' '}
                      <span className="text-small text-ink-2">{effectOf(line)}</span> {standing(line)}
                      {line.payment?.counts === false && (
                        <span className="num block text-small text-ink-2">
                          {inMoney(line.payment.amount)}, not in the balance
                        </span>
                      )}
                    </>
                  ),
                  hours: line.hours ? inHours(line.hours) : '',
                  charged: line.charged ? inMoney(line.charged) : line.amount === null ? '–' : '',
                  paid: line.paid ? inMoney(line.paid) : '',
                  balance: inMoney(line.balance),
                  actions: edit(line),
                },
              })),
            ]}
          />
        </div>
        {lines.length === 0 && (
          <p className="mt-3 text-ink-2">No sessions and no payments in {monthLabel(month)}.</p>
        )}
      </section>
    </>
  )
}

/** What a line is about, with the link to its session. */
function Title({ of: line, link }: { of: LedgerLine; link: RowLink | undefined }) {
  const title = <bdi>{titleOf(line)}</bdi>
  return link ? <RowOpener link={link}>{title}</RowOpener> : title
}
