import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCanWrite, useMe } from '#features/accounts/client.web.ts'
import { useHeld } from '#features/sessions/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { dayIn, monthOf } from '#kernel/calendar-day.ts'
import { monthsBack } from '#kernel/month.ts'
import { isComing, useFailureToast } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { MonthSelect } from '#platform/ui/MonthSelect.tsx'
import { useReopen } from '#platform/ui/reopen.web.ts'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import type { AccountName, Balance } from './balance.ts'
import { accountInOneLine, accountKey, dueOf, keptWithLabel } from './balance-text.ts'
import { useBalances, useConnectionWays, useLedger, useOwed, useWaitingPayments } from './client.web.ts'
import { Ledger } from './Ledger.tsx'
import { OwedCard } from './OwedCard.tsx'
import type { Payment } from './payment.ts'
import { PaymentDialog } from './PaymentDialog.tsx'
import { WaysToPay } from './WaysToPay.tsx'
import { UnsharedPaymentsCard } from './UnsharedPaymentsCard.tsx'
import { WaitingPaymentsCard } from './WaitingPaymentsCard.tsx'

/**
 * How many months back payments can be listed and corrected. Older payments are included in the amount
 * carried over.
 */
const MONTHS = 24

/** What the page shows and opens of charges, which are a feature of their own. */
interface ChargesOnPage {
  /** Those that need an answer. */
  card: ReactNode
  isComing: boolean
  isWaiting: boolean
  /** The charge that the URL names, to open. */
  wanted: string | null
  onAdd: () => void
  /** The form for a new charge, if it's open. The account may still be loading when it's asked for. */
  form: ((account: Balance) => ReactNode) | undefined
  onEdit: (id: string, month: string, account: Balance) => void
}

/** One account's balance for one month, line by line. */
export default function PaymentsPage({ charges }: { charges: ChargesOnPage }) {
  const canWrite = useCanWrite()
  const [edited, setEdited] = useState<Payment | 'new'>()
  const [reference, setReference] = useState<string | null>()
  const open = (payment: Payment | 'new', paidUnder?: string | null) => {
    setReference(paidUnder)
    setEdited(payment)
  }
  const account = useAccount()
  const { balance, due, isEmpty, isOwedComing, isThisMonth } = account
  const waiting = useWaitingPayments()
  const payments = account.ledger.data?.lines.flatMap(({ payment }) => payment ?? [])
  useReopen('payment', payments, setEdited)
  useEdited(canWrite ? payments : undefined, setEdited)
  const { ledger, month } = account
  const editCharge = (id: string) => balance && charges.onEdit(id, month, balance)
  useEffect(() => {
    const line = ledger.data?.lines.find((one) => one.charge && one.id === charges.wanted)
    if (canWrite && line) editCharge(line.id)
  })
  // The page should have only one primary button. If there's one for the amount due or for payments waiting
  // for an answer, the header's button is secondary.
  const isQuiet = (due && dueOf(due) > 0) || Boolean(waiting.data?.payments.length) || charges.isWaiting

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3 md:flex-nowrap">
        <PageTitle title="Payments" subtitle={<Subtitle month={account.month} isThisMonth={isThisMonth} />} />
        {!isEmpty && canWrite && (
          <AddButtons
            isQuiet={Boolean(isQuiet)}
            charges={charges}
            account={account}
            onPayment={() => open('new')}
          />
        )}
      </div>
      {!isOwedComing && (
        <>
          <OwedInAll account={account} />
          <WaitingPaymentsCard />
          {charges.card}
        </>
      )}
      {isComing(waiting) || charges.isComing || isOwedComing ? (
        <div className="mt-5">
          <LoadingCards count={2} label="Loading payments..." />
        </div>
      ) : isEmpty ? (
        <NothingToPay />
      ) : (
        <>
          <AccountChoice account={account} />
          <div className="mt-4">
            <AccountLines account={account} onOpen={open} onEditCharge={canWrite ? editCharge : undefined} />
          </div>
          {!account.isLoading && <UnsharedPaymentsCard />}
        </>
      )}
      {balance && charges.form?.(balance)}
      {edited && (
        <PaymentDialog
          payment={edited === 'new' ? undefined : edited}
          account={balance}
          reference={reference}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

type Account = ReturnType<typeof useAccount>

function OwedInAll({ account: { hasWays } }: { account: Account }) {
  const canWrite = useCanWrite()
  const [paying, setPaying] = useState<Balance>()
  return (
    <>
      {/* A tutor's ways to pay end with the same button. */}
      <OwedCard isBrief onPay={canWrite && !hasWays ? setPaying : undefined} />
      {paying && <PaymentDialog account={paying} onClose={() => setPaying(undefined)} />}
    </>
  )
}

/** The month from the URL, or the current one. */
function useMonth() {
  const months = monthsBack(monthOf(dayIn(new Date())), MONTHS)
  const [query, setQuery] = useSearchParams()
  const asked = query.get('month')
  const month = asked && months.includes(asked) ? asked : (months[0] ?? '')
  return { months, month, isThisMonth: month === months[0], query, setQuery }
}

/** The account and month from the URL, or the first account and the current month. */
function useAccount() {
  const isParent = useMe().role === 'parent'
  const { months, month, isThisMonth, query, setQuery } = useMonth()
  const balances = useBalances(month)
  const tutors = useTutors()
  const students = useStudents()
  const people = isParent ? tutors : students
  const isKnown = balances.isSuccess && people.isSuccess
  const { parties, resolve } = partiesOf(balances.data, people.data)
  const wanted = query.get('with')
  const party = isKnown ? (wanted ? resolve(wanted) : [...parties.keys()][0]) : undefined
  const ledger = useLedger(month, party)
  const error = balances.error ?? people.error ?? ledger.error
  useFailureToast(error, 'Failed to fetch payments')
  // Only the current month's balance shows what's due now.
  const due = isThisMonth ? ledger.data?.balance : undefined
  const payable = isParent && due?.connection_id && dueOf(due) > 0 ? due.connection_id : undefined
  // Wait until everything above the ledger's lines has loaded, so that the layout doesn't shift.
  const ways = useConnectionWays(payable)
  const isWaitedFor = [useHeld(), ways].some(isComing)
  return {
    months,
    month,
    isThisMonth,
    due,
    ...useTold(isThisMonth, party),
    payable,
    isWaitedFor,
    isLoading: (ledger.isPending || isWaitedFor) && !error,
    hasWays: Boolean(ways.data?.ways.length),
    parties,
    party,
    label: keptWithLabel(isParent, balances.data?.accounts ?? []),
    ledger,
    balance: ledger.data?.balance,
    isEmpty: isKnown && parties.size === 0,
    error,
    show: (next: { month?: string; with?: string }) =>
      setQuery({ ...(party ? { with: party } : {}), month, ...next }, { replace: true }),
    retry: () => [balances, people, ledger].forEach((one) => void one.refetch()),
  }
}

/** Whether what is owed in all has been loaded, and is this account's because there's no other. */
function useTold(
  isThisMonth: boolean,
  party: string | undefined,
): { isTold: boolean; isOwedComing: boolean } {
  const owed = useOwed()
  const [only, ...others] = owed.data?.owed.flatMap(({ accounts }) => accounts) ?? []
  return {
    isTold: isThisMonth && only !== undefined && others.length === 0 && accountKey(only) === party,
    isOwedComing: isComing(owed),
  }
}

function Subtitle({ month, isThisMonth }: Pick<Account, 'month' | 'isThisMonth'>) {
  const canWrite = useCanWrite()
  return (
    <>
      What was taught, what was paid and what is due.{' '}
      <Link className="link" to={isThisMonth ? paths.summary : `${paths.summary}?month=${month}`}>
        Monthly Summary
      </Link>
      {canWrite && (
        <>
          {' · '}
          <Link className="link" to={paths.importSessions}>
            Import charges
          </Link>
        </>
      )}
    </>
  )
}

interface AddButtonsProps {
  /** Whether another button of the page is the primary one. */
  isQuiet: boolean
  charges: ChargesOnPage
  account: Account
  onPayment: () => void
}

function AddButtons({ isQuiet, charges, account, onPayment }: AddButtonsProps) {
  return (
    <div className="flex gap-2 max-md:w-full md:shrink-0">
      <Button
        tone="secondary"
        busy={charges.form !== undefined && account.isLoading}
        busyText="Loading..."
        onClick={charges.onAdd}
      >
        Add a charge
      </Button>
      <Button tone={isQuiet ? 'secondary' : 'primary'} className="max-md:flex-1" onClick={onPayment}>
        <Plus className="i" aria-hidden="true" />
        Record a payment
      </Button>
    </div>
  )
}

function AccountChoice({ account }: { account: Account }) {
  const { label, parties, party, balance, error, months, month, show } = account
  const unknown = error ? 'Not loaded' : 'Loading...'
  return (
    <div className="mt-6 grid gap-1 md:grid-cols-[1fr_auto] md:items-end md:gap-6">
      <SelectField label={label} value={party ?? ''} onChange={(event) => show({ with: event.target.value })}>
        {!party && <option value="">{unknown}</option>}
        {party && !parties.has(party) && <option value={party}>{balance?.name ?? unknown}</option>}
        {[...parties].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <MonthSelect months={months} month={month} onChange={(next) => show({ month: next })} />
    </div>
  )
}

interface AccountLinesProps {
  account: Account
  onOpen: (payment: Payment | 'new', reference?: string | null) => void
  onEditCharge: ((id: string) => void) | undefined
}

/** The payment options for the amount due, and the account's ledger. */
function AccountLines({ account, onOpen, onEditCharge }: AccountLinesProps) {
  const canWrite = useCanWrite()
  const { ledger, month, isThisMonth, isTold, due, payable, hasWays, isWaitedFor, isLoading, error, retry } =
    account
  // The list of payment options ends with the same button.
  const marksAsPaid = canWrite && due !== undefined && !hasWays
  const record = () => onOpen('new')
  return (
    <>
      {isLoading && <LoadingCards count={2} label="Loading payments..." />}
      {error && <LoadFailed title="Your payments didn’t load" onRetry={retry} />}
      {!isWaitedFor && payable && due && (
        <WaysToPay
          connectionId={payable}
          name={due.name}
          amount={dueOf(due)}
          currency={due.currency}
          onPaid={canWrite ? (reference) => onOpen('new', reference) : undefined}
        />
      )}
      {ledger.isSuccess && !isWaitedFor && (
        <>
          <HeldLine month={month} />
          <Ledger
            month={month}
            balance={ledger.data.balance}
            lines={ledger.data.lines}
            isTold={isTold}
            isNow={isThisMonth}
            onEdit={canWrite ? onOpen : undefined}
            onEditCharge={onEditCharge}
            onPay={marksAsPaid ? record : undefined}
          />
        </>
      )}
    </>
  )
}

function NothingToPay() {
  const isParent = useMe().role === 'parent'
  const canWrite = useCanWrite()
  const line = isParent
    ? 'Add a tutor first. You’ll then see what you’ve paid and what’s due.'
    : 'Add a student first. You’ll then see what their family has paid and what’s due.'
  return (
    <div className="mt-5">
      <Empty
        title={isParent ? 'Nothing to pay yet' : 'No payments yet'}
        line={canWrite ? line : undefined}
        action={
          canWrite && (
            <Link className="btn btn-p" to={isParent ? paths.tutors : paths.students}>
              {isParent ? 'Add a tutor' : 'Add a student'}
            </Link>
          )
        }
      />
    </div>
  )
}

/**
 * Shows how many of a month's sessions aren't in any balance yet because they may be duplicates of lessons
 * that the other side logged. Renders nothing if there aren't any.
 */
function HeldLine({ month }: { month: string }) {
  const count = useHeld().data?.sessions.filter(({ date }) => date.startsWith(month)).length ?? 0
  if (count === 0) return null
  return (
    <p className="mb-4 text-ink-2">
      {count === 1 ? '1 session is' : `${count} sessions are`} in no balance yet: the other side may have
      logged
      {count === 1 ? ' it' : ' them'} too.{' '}
      <Link to={paths.sameLessons} className="link inline-flex min-h-11 items-center">
        Same lessons?
      </Link>
    </p>
  )
}

/**
 * Opens the payment named in the URL (?edit=) once the payments have loaded. Removes the parameter, so that
 * going back doesn't open it again.
 */
function useEdited(payments: readonly Payment[] | undefined, open: (payment: Payment) => void): void {
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('edit')
  useEffect(() => {
    if (!wanted || !payments) return
    setQuery(
      (now) => {
        now.delete('edit')
        return now
      },
      { replace: true },
    )
    const payment = payments.find(({ id }) => id === wanted)
    if (payment) open(payment)
  })
}

/**
 * The accounts to choose from, by key: all connections, everyone with a balance, and all current tutors or
 * students.
 */
function partiesOf(
  data: { balances: AccountName[]; accounts: AccountName[] } | undefined,
  people: readonly { id: string }[] | undefined,
): { parties: Map<string, string>; resolve: (wanted: string) => string } {
  const worthALine = new Set(data?.balances.map(accountKey))
  const everyDay = new Set(people?.map(({ id }) => id))
  const parties = new Map<string, string>()
  for (const account of [...(data?.accounts ?? []), ...(data?.balances ?? [])]) {
    const isOffered =
      account.connection_id !== null ||
      worthALine.has(accountKey(account)) ||
      (!account.is_only_yours && everyDay.has(account.id ?? ''))
    if (isOffered) parties.set(accountKey(account), accountInOneLine(account))
  }
  // A link that names a person opens the account shared with them, unless they also have an account that's
  // only in your records.
  const resolve = (wanted: string) =>
    parties.has(wanted)
      ? wanted
      : (data?.accounts.find((one) => one.id === wanted && one.connection_id !== null)?.connection_id ??
        wanted)
  return { parties, resolve }
}
