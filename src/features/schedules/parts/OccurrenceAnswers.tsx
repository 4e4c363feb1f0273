import { Check } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMe, useSide } from '#features/accounts/client.web.ts'
import { refreshed } from '#features/agreements/client.web.ts'
import { type Family, familiesToAsk, familyNames } from '#features/sessions/family-choice.ts'
import { paths } from '#features/site/paths.ts'
import { useStudents } from '#features/students/client.web.ts'
import type { Outcome } from '#features/terms/outcome.ts'
import { CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useSessionUndo } from '#features/sessions/undo.web.ts'
import { logClass, useCostToast, useOutcomesNow, useRecordOutcome } from '../client.web.ts'
import { formOfOccurrence, type Occurrence } from '../occurrence.ts'
import { outcomeInWords } from '../outcome.ts'
import { OutcomeChoices } from '../OutcomeChoices.tsx'

interface OccurrenceAnswersProps {
  occurrence: Occurrence
  /** Closes the dialog that shows the class. If omitted, the result replaces the buttons. */
  onDone?: () => void
  /**
   * Called with true before an answer is sent, to keep the row in place, and with false once the row can
   * disappear.
   */
  onKeep?: (isKept: boolean) => void
}

/** An answer that was just given, and how to undo it. */
interface Given {
  text: string
  undo: () => Promise<unknown>
  undoFailure: string
  /** What to say instead of the usual message. */
  success?: readonly [title: string, message?: string | undefined]
  /** Lets what the answer costs be. */
  waive?: { label: string; run: () => void } | undefined
}

/** Somebody else was faster. */
const TOLD: ReadonlySet<string> = new Set(['answered', 'already_logged'])

const WAITS = ['Waiting to be sent', "The session stays on this device until it's sent."] as const

/**
 * The three answers to 'Did this class happen?': Yes logs the class, Edit opens the form with its values, and
 * No asks how it ended (docs/product-decisions.md, section 4). In a dialog, which is a tap by itself, how it
 * ended is there to choose at once.
 */
export function OccurrenceAnswers({ occurrence, onDone, onKeep }: OccurrenceAnswersProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const reader = useSide()
  const me = useMe()
  const log = useMutation({
    mutationFn: (family: string | undefined) => refreshed(logClass(me, occurrence, { family })),
  })
  const { undoLogged } = useSessionUndo()
  const record = useRecordOutcome()
  const costs = useCostToast()
  const [asksHow, setAsksHow] = useState(onDone !== undefined)
  const [given, setGiven] = useState<Given>()
  const [isUndone, setIsUndone] = useState(false)
  const about = `${occurrence.student_name}, ${occurrence.date}`

  // Ignores a second tap before the buttons are disabled.
  const isSending = useRef(false)

  const edit = () =>
    navigate(paths.addSession, { state: { session: formOfOccurrence(occurrence, me.currency) } })
  const answer = async (send: () => Promise<Given>, success: string, failure: string) => {
    if (isSending.current) return
    isSending.current = true
    onKeep?.(true)
    try {
      const next = await send()
      const [title, message] = next.success ?? [success]
      if (!onDone) {
        toast.success(title, message, next.waive)
        return setGiven(next)
      }
      const undo = () => void next.undo().catch(() => toast.error('Error', next.undoFailure))
      toast.success(title, message, next.waive ?? { label: 'Undo', run: undo })
      onDone()
    } catch (error) {
      onKeep?.(false)
      // The other side logged a lesson at a different time that day. The form lets the user say whether it's
      // the same lesson.
      if (error instanceof CallFailed && error.problem.code === 'same_lesson') {
        toast.error('Same lesson?', error.problem.title)
        edit()
      } else if (error instanceof CallFailed && TOLD.has(error.problem.code)) {
        toast.error('Already answered', error.problem.title)
        await queryClient.invalidateQueries()
      } else toast.error('Error', failure)
    } finally {
      isSending.current = false
    }
  }
  const families = familiesToAsk(useStudents().data ?? [], occurrence.student_id)
  const isKnown = families.some(({ connection_id: id }) => id === occurrence.connection_id)
  const [asksFamily, setAsksFamily] = useState(false)
  const yes = async (family?: string): Promise<Given> => {
    const logged = await log.mutateAsync(family)
    setAsksFamily(false)
    return {
      text: logged.isWaiting ? 'Waiting to be sent' : 'Logged',
      undo: async () => {
        await (logged.isWaiting ? logged.forget() : undoLogged([logged.session]))
        // The class has to be on the lists again before its answer goes.
        await queryClient.invalidateQueries()
      },
      undoFailure: 'Failed to delete session',
      ...(logged.isWaiting && { success: WAITS }),
    }
  }
  const no = async (outcome: Outcome): Promise<Given> => {
    const { message, waive } = costs(await record.mutateAsync({ occurrence, outcome }))
    const text = outcomeInWords(outcome, reader)
    return {
      text,
      success: [text, message],
      waive,
      undo: () => record.mutateAsync({ occurrence: { ...occurrence, outcome }, outcome: null }),
      undoFailure: 'Failed to put the class back',
    }
  }

  const isBusy = log.isPending || record.isPending
  const outcomes = useOutcomesNow(occurrence)
  const sayYes = (family?: string) =>
    void answer(async () => yes(family), 'Session added successfully', 'Failed to add session')
  const choices = (
    <OutcomeChoices
      choices={outcomes}
      reader={reader}
      about={about}
      busy={record.isPending ? record.variables.outcome : undefined}
      isBlocked={log.isPending}
      onChoose={(outcome) =>
        void answer(() => no(outcome), outcomeInWords(outcome, reader), 'Failed to save how the class ended')
      }
    />
  )
  if (given)
    return (
      <>
        <GivenAnswer
          given={given}
          about={about}
          onUndone={() => {
            setGiven(undefined)
            setAsksHow(false)
            setIsUndone(true)
            onKeep?.(false)
          }}
        />
        {/* Keeps the place of the choices, so that the next class stays where it is. */}
        {asksHow && (
          <div className="invisible mt-1 md:max-w-sm" aria-hidden="true">
            {choices}
          </div>
        )}
      </>
    )
  if (asksFamily)
    return (
      <FamilyChoice
        families={families}
        about={about}
        isBusy={isBusy}
        onChoose={sayYes}
        onCancel={() => setAsksFamily(false)}
      />
    )
  if (asksHow && !onDone)
    return (
      <HowItEnded about={about} isBusy={isBusy} onBack={() => setAsksHow(false)}>
        {choices}
      </HowItEnded>
    )
  return (
    <>
      <Answers
        about={about}
        isFocused={isUndone}
        isLogging={log.isPending}
        isEnding={record.isPending}
        onYes={() => (families.length > 0 && !isKnown ? setAsksFamily(true) : sayYes())}
        onEdit={() => void edit()}
        onNo={asksHow ? undefined : () => setAsksHow(true)}
      />
      {asksHow && (
        <div>
          <p className="mb-2 text-ink-2">No, it was:</p>
          {choices}
        </div>
      )}
    </>
  )
}

interface AnswersProps {
  about: string
  /** Whether the buttons are back after Undo. */
  isFocused: boolean
  isLogging: boolean
  isEnding: boolean
  onYes: () => void
  onEdit: () => void
  /** Left out if what No asks is already there. */
  onNo: (() => void) | undefined
}

function Answers({ about, isFocused, isLogging, isEnding, onYes, onEdit, onNo }: AnswersProps) {
  const blockedReason = isLogging || isEnding ? '' : undefined
  return (
    <div
      ref={isFocused ? takeFocus : undefined}
      tabIndex={-1}
      className="flex gap-2 outline-none md:max-w-sm"
    >
      <Button
        size="small"
        className="flex-1"
        aria-label={`Yes, ${about}`}
        busy={isLogging}
        blockedReason={isEnding ? '' : undefined}
        busyText="Adding..."
        onClick={onYes}
      >
        <Check className="i" aria-hidden="true" />
        Yes
      </Button>
      <Button
        size="small"
        tone="secondary"
        aria-label={`Edit, ${about}`}
        blockedReason={blockedReason}
        onClick={onEdit}
      >
        Edit
      </Button>
      {onNo && (
        <Button
          size="small"
          tone="secondary"
          aria-label={`No, ${about}`}
          blockedReason={blockedReason}
          onClick={onNo}
        >
          No
        </Button>
      )}
    </div>
  )
}

interface HowItEndedProps {
  about: string
  isBusy: boolean
  onBack: () => void
  children: ReactNode
}

/** Asks how a class ended. The choices are below the place of No, so a double tap can't hit one of them. */
function HowItEnded({ about, isBusy, onBack, children }: HowItEndedProps) {
  return (
    <div
      ref={takeFocus}
      tabIndex={-1}
      role="group"
      aria-label={`How did it end? ${about}`}
      className="outline-none md:max-w-sm"
    >
      <div className="flex items-center gap-2">
        <p className="flex-1 font-semibold">How did it end?</p>
        <Button size="small" tone="quiet" blockedReason={isBusy ? '' : undefined} onClick={onBack}>
          Back
        </Button>
        <span className="btn btn-s btn-sm invisible" aria-hidden="true">
          No
        </span>
      </div>
      <div className="mt-1">{children}</div>
    </div>
  )
}

interface FamilyChoiceProps {
  families: Family[]
  about: string
  isBusy: boolean
  onChoose: (connectionId: string) => void
  onCancel: () => void
}

/** Asks which family the classes are with if several families share the student. Asked only once per schedule. */
function FamilyChoice({ families, about, isBusy, onChoose, onCancel }: FamilyChoiceProps) {
  const names = familyNames(families)
  return (
    <div
      ref={takeFocus}
      tabIndex={-1}
      role="group"
      aria-label={`Which family? ${about}`}
      className="outline-none"
    >
      <p className="font-semibold">Which family?</p>
      <p className="text-small text-ink-2">We’ll remember your choice for this schedule.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {families.map(({ connection_id: id }, at) => (
          <Button
            key={id}
            size="small"
            tone="secondary"
            blockedReason={isBusy ? '' : undefined}
            onClick={() => onChoose(id)}
          >
            {names[at]}
          </Button>
        ))}
        <Button size="small" tone="quiet" blockedReason={isBusy ? '' : undefined} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** Moves focus to the element if the focused button was removed. */
function takeFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}

/**
 * Replaces the buttons with the result. Undo isn't in the same spot as Yes or No, so a double tap can't hit
 * it.
 */
function GivenAnswer({ given, about, onUndone }: { given: Given; about: string; onUndone: () => void }) {
  const toast = useToast()
  const [isUndoing, setIsUndoing] = useState(false)
  const undo = async () => {
    setIsUndoing(true)
    try {
      await given.undo()
      onUndone()
    } catch {
      toast.error('Error', given.undoFailure)
      setIsUndoing(false)
    }
  }
  return (
    <div className="flex items-center gap-2 md:max-w-sm">
      <p
        ref={takeFocus}
        tabIndex={-1}
        className="flex min-h-11 flex-1 items-center gap-2 font-semibold outline-none"
      >
        <Check className="i text-ok" aria-hidden="true" />
        {given.text}
      </p>
      <Button
        size="small"
        tone="secondary"
        aria-label={`Undo, ${about}`}
        busy={isUndoing}
        onClick={() => void undo()}
      >
        Undo
      </Button>
      <span className="btn btn-s btn-sm invisible" aria-hidden="true">
        No
      </span>
    </div>
  )
}
