import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSide } from '#features/accounts/client.web.ts'
import { useSessionLink } from '#features/sessions/client.web.ts'
import { type Currency, formatAmount } from '#kernel/money.ts'
import { Badge } from '#platform/ui/Badge.tsx'
import { type CalendarDay, daysOfMonth, formatDay } from '#kernel/calendar-day.ts'
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
  changeInWords,
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
  /** Opens a payment for editing. Omitted if the reader can't change payments. */
  onEdit?: (payment: Payment) => void
  onEditCharge?: ((id: string) => void) | undefined
  /** Whether what is owed at the top of the page is this account's, so its figures aren't said again. */
  isTold: boolean
  /** Whether it's the current month, up to today. For a past one, the amount was due at its end. */
  isNow: boolean
  /** Opens the form to record a payment of the amount due. Omitted if the reader can't change payments. */
  onPay?: () => void
}

/** Shows how a balance adds up: the amount carried over, and every session and payment with the balance after it. */
export function Ledger({ month, balance, lines, isTold, isNow, onEdit, onEditCharge, onPay }: LedgerProps) {
  const warning = isTold ? undefined : prepaidWarning(balance, balance.currency)
  const linkTo = useSessionLink()
  const reader = useSide()
  const shown: ShownLine[] = lines.map((line) => {
    const link = line.kind === 'session' ? linkTo(line) : undefined
    const said = line.payment
      ? standingWords(line.payment, reader)
      : line.charge && standingWords({ ...line.charge, kind: 'charge', date: line.date }, reader)
    return {
      line,
      link: link && { ...link, label: `${titleOf(line)}, ${shortDay(line)}` },
      standing: said && <Badge tone={said.tone}>{said.words}</Badge>,
      action: line.payment
        ? onEdit && <EditButton line={line} of={line.payment} onEdit={onEdit} />
        : line.charge &&
          onEditCharge && <EditButton line={line} of={line.charge} onEdit={() => onEditCharge(line.id)} />,
    }
  })
  const carried = `Carried over from ${monthLabel(addMonths(month, -1))}`
  return (
    <>
      {!isTold && <Figures month={month} balance={balance} isNow={isNow} onPay={onPay} />}
      {warning && (
        <div className="mt-4">
          <Notice>{warning}</Notice>
        </div>
      )}
      <section className="mt-5">
        <h2 className="mb-2.5">Line by line</h2>
        <LineList balance={balance} lines={shown} carried={carried} />
        <LineTable balance={balance} lines={shown} carried={carried} hasActions={onEdit !== undefined} />
        {lines.length === 0 && (
          <p className="mt-3 text-ink-2">No sessions, payments or charges in {monthLabel(month)}.</p>
        )}
      </section>
    </>
  )
}

function Figures({
  month,
  balance,
  isNow,
  onPay,
}: Pick<LedgerProps, 'month' | 'balance' | 'isNow' | 'onPay'>) {
  const { currency } = balance
  const coming = onItsWay(balance, currency)
  const figures: [label: string, amount: number][] = [
    ['Carried over', balance.carried_over],
    ['Sessions', balance.sessions_amount],
    ['Paid', balance.paid_amount],
  ]
  return (
    <dl className="card figures lg:grid-cols-4">
      {figures.map(([label, amount]) => (
        <div key={label}>
          <dt className="k">{label}</dt>
          <Figure>{formatAmount(amount, currency)}</Figure>
        </div>
      ))}
      <div>
        <dt className="k">
          {openLabel(balance.balance)}
          {!isNow && ` on ${formatDay(daysOfMonth(month).to, { month: 'short', day: 'numeric' })}`}
        </dt>
        <Figure>{formatAmount(Math.abs(balance.balance), currency)}</Figure>
        {coming && <dd className="num text-small text-ink-2">{coming}</dd>}
        {onPay && dueOf(balance) > 0 && (
          <dd className="mt-2">
            <Button size="small" onClick={onPay}>
              Mark as paid
            </Button>
          </dd>
        )}
      </div>
      {explain(balance, currency) !== '' && (
        <div className="col-span-full text-small text-ink-2">
          <dt className="sr-only">Details</dt>
          <dd>{explain(balance, currency)}</dd>
        </div>
      )}
    </dl>
  )
}

/** What the list and the table both show for a ledger line. */
interface ShownLine {
  line: LedgerLine
  link: RowLink | undefined
  /** The status of a payment or charge between the two sides. */
  standing: ReactNode
  action: ReactNode
}

interface LinesProps {
  balance: Balance
  lines: ShownLine[]
  /** The label for the amount carried over, which is the first line. */
  carried: string
}

/** The ledger's lines on screens narrower than 768 px. */
function LineList({ balance, lines, carried }: LinesProps) {
  const { currency } = balance
  return (
    <div className="card overflow-hidden md:hidden">
      <p className="flex justify-between gap-3 px-4 py-3 text-small text-ink-2">
        <span>{carried}</span>
        <b className="num font-semibold whitespace-nowrap">{formatAmount(balance.carried_over, currency)}</b>
      </p>
      <ul className="list border-t border-line">
        {lines.map(({ line, link, standing, action }) => (
          <LogRow
            key={line.id}
            day={line.date as CalendarDay}
            title={titleOf(line)}
            link={link}
            detail={boughtOf(line, currency) ?? effectOf(line)}
            note={
              <span className="num flex flex-wrap items-center gap-x-2 text-small text-ink-2">
                {standing}
                {(line.payment ?? line.charge)?.counts === false
                  ? 'Not in the balance'
                  : !standing && `Balance ${formatAmount(line.balance, currency)}`}
              </span>
            }
            amount={changeInWords(line, currency)}
            action={action}
          />
        ))}
      </ul>
    </div>
  )
}

/** The ledger's lines on screens 768 px and wider. */
function LineTable({ balance, lines, carried, hasActions }: LinesProps & { hasActions: boolean }) {
  const { currency } = balance
  const blank = { date: '', what: '', hours: '', charged: '', paid: '', actions: '' }
  return (
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
          ...(hasActions ? [{ key: 'actions' as const, header: 'Actions', numeric: true }] : []),
        ]}
        rows={[
          {
            id: 'carried',
            cells: { ...blank, what: carried, balance: formatAmount(balance.carried_over, currency) },
          },
          ...lines.map((shown) => ({
            id: shown.line.id,
            link: shown.link,
            cells: cellsOf(shown, currency),
          })),
        ]}
      />
    </div>
  )
}

function cellsOf({ line, link, standing, action }: ShownLine, currency: Currency) {
  const entry = line.payment ?? line.charge
  return {
    date: (
      <span className="whitespace-nowrap">
        {formatDay(line.date as CalendarDay, { weekday: 'short', month: 'short', day: 'numeric' })}
      </span>
    ),
    what: (
      <>
        <Title of={line} link={link} /> <span className="text-small text-ink-2">{effectOf(line, false)}</span>{' '}
        {standing}
        {entry?.counts === false && (
          <span className="num block text-small text-ink-2">
            {formatAmount(entry.amount, currency)}, not in the balance
          </span>
        )}
      </>
    ),
    hours: line.hours ? inHours(line.hours) : '',
    charged: line.charged ? formatAmount(line.charged, currency) : line.amount === null ? '–' : '',
    paid: line.paid ? formatAmount(line.paid, currency) : '',
    balance: formatAmount(line.balance, currency),
    actions: action,
  }
}

interface EditButtonProps<Edited> {
  line: LedgerLine
  of: Edited
  onEdit: (edited: Edited) => void
}

function EditButton<Edited extends Pick<Payment, 'amount' | 'currency'>>({
  line,
  of,
  onEdit,
}: EditButtonProps<Edited>) {
  const what = line.charge ? 'charge' : 'payment'
  return (
    <IconButton
      label={`Edit ${what}, ${formatAmount(of.amount, of.currency)}, ${shortDay(line)}`}
      onClick={() => onEdit(of)}
    >
      <Pencil className="size-[18px]" aria-hidden="true" />
    </IconButton>
  )
}

function shortDay(line: LedgerLine): string {
  return formatDay(line.date as CalendarDay, { month: 'short', day: 'numeric' })
}

/** A line's title. For a session, it links to the session. */
function Title({ of: line, link }: { of: LedgerLine; link: RowLink | undefined }) {
  const title = <bdi>{titleOf(line)}</bdi>
  return link ? <RowOpener link={link}>{title}</RowOpener> : title
}
