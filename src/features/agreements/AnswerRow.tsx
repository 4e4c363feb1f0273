import { Check } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { Button } from '#platform/ui/Button.tsx'
import { DayMargin } from '#platform/ui/LogRow.tsx'
import { openedBy, type RowLink, RowTitle } from '#platform/ui/RowLink.tsx'
import type { Action } from './client.web.ts'

interface AnswerRowProps {
  /** Omitted if the entry isn't about a day. */
  date?: string | undefined
  title: string
  amount: string
  link?: RowLink | undefined
  /** Whether only the title opens the link, so that a second tap on the row's buttons doesn't. */
  isTitleOnly?: boolean
  children: ReactNode
}

/** An entry in a list of those to answer: its day, title and amount, and below them whatever else it has. */
export function AnswerRow({ date, title, amount, link, isTitleOnly, children }: AnswerRowProps) {
  return (
    <li className="log" {...openedBy(isTitleOnly ? undefined : link)}>
      {date ? <DayMargin day={date as CalendarDay} /> : <div className="d" />}
      <div className="m col-[2/-1] pr-4!">
        <div className="log-top">
          <RowTitle title={title} link={link} />
          <b className="num whitespace-nowrap">{amount}</b>
        </div>
        {children}
      </div>
    </li>
  )
}

interface ButtonsProps {
  /** Identifies the entry in the buttons' labels. Omitted where a title already does. */
  name?: string
  busy: Action | undefined
  /** Whether the buttons are next to a text instead of below the entry. */
  isBeside?: boolean
  className?: string
}

function Buttons({
  isBeside,
  className = '',
  children,
}: Pick<ButtonsProps, 'isBeside' | 'className'> & { children: ReactNode }) {
  return <div className={`${isBeside ? '' : 'mt-2.5 '}flex flex-wrap gap-2 ${className}`}>{children}</div>
}

const labelOf = (words: string, name: string | undefined) => name && `${words}, ${name}`

/** True where another button is the page's primary one, or several answers would be. */
export const QuietAnswers = createContext(false)

interface AnswerButtonsProps extends ButtonsProps {
  yes?: string
  no?: string
  isPrimary?: boolean
  onConfirm: () => void
  /** Omitted if the form for the note is already open. */
  onDispute: (() => void) | undefined
  /** More buttons. */
  children?: ReactNode
}

/** The two answers to an entry. */
export function AnswerButtons({
  yes = 'Confirm',
  no = 'Not right',
  isPrimary,
  onConfirm,
  onDispute,
  children,
  ...props
}: AnswerButtonsProps) {
  const { name, busy, isBeside } = props
  const isQuiet = useContext(QuietAnswers)
  return (
    <Buttons {...props}>
      <Button
        size="small"
        className={isBeside ? '' : 'flex-1'}
        tone={(isPrimary ?? !isQuiet) ? 'primary' : 'secondary'}
        busy={busy === 'confirm' || busy === 'accept'}
        busyText={busy === 'accept' ? 'Accepting...' : 'Confirming...'}
        aria-label={labelOf(yes, name)}
        onClick={onConfirm}
      >
        <Check className="i" aria-hidden="true" />
        {yes}
      </Button>
      {onDispute && (
        <Button size="small" tone="secondary" aria-label={labelOf(no, name)} onClick={onDispute}>
          {no}
        </Button>
      )}
      {children}
    </Buttons>
  )
}

interface DeletionButtonsProps extends ButtonsProps {
  agree?: string
  keep?: string
  /** Omitted if the reader can't delete the entry yet. */
  onDelete: (() => void) | undefined
  onKeep: () => void
}

/** The two answers to a request to delete an entry. */
export function DeletionButtons({
  agree = 'Delete',
  keep = 'Keep it',
  onDelete,
  onKeep,
  ...props
}: DeletionButtonsProps) {
  const { name, busy } = props
  return (
    <Buttons {...props}>
      {onDelete && (
        <Button
          size="small"
          tone="danger-outline"
          busy={busy === 'remove'}
          busyText="Deleting..."
          aria-label={labelOf(agree, name)}
          onClick={onDelete}
        >
          {agree}
        </Button>
      )}
      <Button
        size="small"
        tone="secondary"
        busy={busy === 'keep'}
        busyText="Keeping..."
        aria-label={labelOf('Keep it', name)}
        onClick={onKeep}
      >
        {keep}
      </Button>
    </Buttons>
  )
}

interface AnswerLinkProps {
  label?: string
  name: string
  className?: string
  isBlocked?: boolean
  onClick: () => void
}

/** Takes an answer back, or does something else that's less common than answering. */
export function AnswerLink({ label = 'Undo', name, className = '', isBlocked, onClick }: AnswerLinkProps) {
  return (
    <button
      type="button"
      className={`link min-h-11 min-w-11 text-small ${className}`}
      aria-label={`${label}, ${name}`}
      aria-disabled={isBlocked}
      onClick={onClick}
    >
      {label}
    </button>
  )
}
