import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { useLocation } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { useStudents } from '#features/students/client.web.ts'
import type { ListedStudent } from '#features/students/student.ts'
import { refreshMakeUps } from '#features/terms/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import type { Tutor } from '#features/tutors/tutor.ts'
import { dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { CallFailed } from '#platform/api.web.ts'
import { isComing, useFailureToast } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { forgetDraft, keepDraft, readDraft, useDraft, withDraft } from '#platform/ui/draft.web.ts'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { checkedBy, fieldErrorsOf } from '#platform/ui/form.web.ts'
import { useNavigateFromHere } from '#platform/ui/navigate.web.ts'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { AddAnyway } from '#platform/ui/AddAnyway.tsx'
import { useKeys, useLogSession, useLogSessions, useMonthSessions, useRecentSessions } from './client.web.ts'
import { NewSession } from './session.ts'
import {
  emptySession,
  fieldsOfWaiting,
  type SessionFields,
  toNewSession,
  toWaiting,
  type UsualPrice,
  usualPriceOf,
} from './session-form.ts'
import { CHOOSE_FAMILY, familiesToAsk } from './family-choice.ts'
import { MakeUpOffer, usePriced } from './MakeUpOffer.tsx'
import { SameLesson } from './SameLesson.tsx'
import { SessionFieldset } from './SessionFieldset.tsx'
import { OtherStudents } from './OtherStudents.tsx'
import { othersIn, toSeveral, waitingForAll } from './siblings.ts'
import { PinnedBar } from './PinnedBar.tsx'
import { type Said, useSessionUndo } from './undo.web.ts'
import { UsualChips } from './UsualChips.tsx'
import { WhatIsMissing } from './WhatIsMissing.tsx'
import {
  doubtAbout,
  lastOf,
  type Logged,
  loggedOf,
  offersOf,
  startOf,
  type Usual,
  usualDayOf,
  usualOf,
} from './usual.ts'
import { useOneTap } from './usual.web.ts'
import { WORDS_FIELDS } from './lesson-words.ts'
import { edited, late, type WaitingSession } from './waiting.ts'
import { addWaiting, changeWaiting, sendNow, useWaiting } from './waiting.web.ts'

const DRAFT = 'session'

/** What was said along with the session. The same button saves it, after the session. */
export interface Beside {
  shown: (fields: SessionFields) => ReactNode
  /** Undefined if that failed, which it says itself. */
  save: (
    of: Pick<SessionFields, 'student_id' | 'tutor_id' | 'date' | 'connection_id'>,
    isWaiting?: boolean,
  ) => Promise<Said | undefined>
  forget: () => void
}

interface LogSessionFormProps {
  proposed?: Partial<SessionFields>
  waiting?: WaitingSession
  beside?: Beside | undefined
}

/**
 * The form to log a session, or to edit one that's waiting on this device. Voice input replaces typed values,
 * so pass a new `key` for each recording.
 */
export function LogSessionForm(props: LogSessionFormProps) {
  const draft = props.waiting ? `session-${props.waiting.id}` : DRAFT
  const [{ count, another }, setNext] = useState<{ count: number; another?: Another }>({ count: 0 })
  const startOver = (next: Another) => setNext({ count: count + 1, another: next })
  return (
    <FormBoundary draft={draft}>
      <OpenForm
        key={count}
        {...(another ? {} : props)}
        another={another}
        draft={draft}
        onAnother={startOver}
      />
    </FormBoundary>
  )
}

/** The values to carry over when logging another session for the same day. */
type Another = Pick<SessionFields, 'date' | 'tutor_id'>

interface OpenFormProps extends LogSessionFormProps {
  draft: string
  /** Set when a session was just saved and the user is logging another for the same day. */
  another?: Another
  onAnother: (next: Another) => void
}

/** A question to answer before saving, and whether to keep the form open after saving. */
interface Asked {
  about: string
  stays: boolean | undefined
}

/** How to save the session. Depends on which button was pressed. */
interface Way {
  /** True if the user said it's not the same lesson that the other side logged that day. */
  isAnother?: boolean
  /** True to keep the form open for another session on the same day. */
  stays?: boolean
}

function OpenForm({ proposed, waiting, beside: said, draft, another, onAnother }: OpenFormProps) {
  const { role, currency } = useMe()
  const isParent = role === 'parent'
  const { students, tutors, known, isShown } = useLists(isParent)
  const handed = (useLocation().state as { session?: SessionFields } | null)?.session
  const given = another ? undefined : handed
  const isElse = Boolean(waiting ?? given ?? proposed)
  const [start] = useState(() => startingValues(draft, { given, proposed, waiting, another }))
  const form = useForm<SessionFields>({
    resolver: checkedBy(NewSession, toNewSession, { currency, fields: ['hourly_rate'] }),
    defaultValues: start.values,
  })
  const beside = besideOf(said, waiting !== undefined || start.values === given)
  useDraft(draft, form)
  const { control, setFocus } = form
  useEffect(() => {
    if (another) setFocus('student_id')
  }, [another, setFocus])
  const fields = useWatch({ control }) as SessionFields
  const logged = useLogged(fields.date, waiting?.id)
  const touched = useUsualStart(form, start.isFresh, students.data, tutors.data, logged)
  const doubt = doubtAbout(fields, logged ?? [], dayIn(new Date()))
  const usual = usualPriceOf(fields, known.students, known.tutors)
  const names = namesOf(fields, known, waiting)
  const priced = usePriced()
  const asksFamily = hasToAsk(fields, known.students)
  const saving = useSaving({
    form,
    fields,
    draft,
    waiting,
    beside,
    names,
    doubt,
    usual,
    known,
    asksFamily,
    onAnother,
    priced,
  })
  const choose = (usual: Usual) => {
    for (const [name, value] of Object.entries(usual) as [keyof Usual, string][]) {
      touched.current?.add(name)
      form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    }
    keepDraft(draft, form.getValues())
  }

  return (
    <div className={isShown ? '' : 'grid *:col-start-1 *:row-start-1'}>
      {!isShown && <LoadingForm />}
      <div className={isShown ? '' : 'invisible'}>
        {students.isSuccess && tutors.isSuccess && (
          <Hints
            {...{ isParent, fields, ...known }}
            logged={isElse ? undefined : logged}
            isTyped={TYPED.some((field) => fields[field] !== '')}
            onChoose={choose}
          />
        )}
        <form className="mt-5" onSubmit={saving.submit()} noValidate>
          <div className="grid gap-4 pb-4 lg:grid-cols-2">
            <SessionFieldset
              form={form}
              students={students}
              tutors={tutors}
              studentLabel={isParent ? 'Child' : 'Student'}
              usualDay={usualDayOf(logged ?? [], fields.student_id, fields.tutor_id, dayIn(new Date()))}
              hasOwnTotal
              others={<OtherStudents {...{ form, fields, ...known }} isWaiting={waiting !== undefined} />}
            />
            <MakeUpOffer form={form} fields={fields} isWaiting={waiting !== undefined} />
            <Questions {...{ beside, saving, fields, names, doubt, isWaiting: waiting !== undefined }} />
            <FormAlert text={saving.problem} className="lg:col-span-2" />
            {!waiting && (
              <Button
                tone="quiet"
                className="-ml-3 justify-self-start lg:col-span-2"
                blockedReason={isBlocked(fields) || saving.isPending ? '' : undefined}
                onClick={() => void saving.submit(true)()}
              >
                Add another for the same day
              </Button>
            )}
          </div>
          <PinnedBar
            {...{ fields: priced(fields), usual, known, isPending: saving.isPending }}
            isBlocked={isBlocked(fields)}
            onCancel={() => {
              forgetDraft(draft)
              beside?.forget()
            }}
          >
            {waiting ? 'Save Session' : 'Add Session'}
          </PinnedBar>
        </form>
      </div>
    </div>
  )
}

interface HintsProps {
  isParent: boolean
  students: ListedStudent[]
  tutors: Tutor[]
  fields: SessionFields
  /** The sessions to suggest usual values from. */
  logged: ReturnType<typeof useLogged>
  /** Whether there's something in the form that a usual lesson wouldn't have. A chip then only fills in the form. */
  isTyped: boolean
  onChoose: (usual: Usual) => void
}

const TYPED = ['hourly_rate', 'start_time', ...WORDS_FIELDS, 'notes'] as const

/** Above the fields: what has to be added first, and values to start from. */
function Hints({ isParent, students, tutors, fields, logged, isTyped, onChoose }: HintsProps) {
  const today = dayIn(new Date())
  const navigate = useNavigateFromHere()
  const { add } = useOneTap()
  const offers = isTyped ? [] : offersOf(logged ?? [], students, tutors, today)
  return (
    <>
      <WhatIsMissing isParent={isParent} hasStudents={students.length > 0} hasTutors={tutors.length > 0} />
      {logged && (
        <UsualChips
          usual={usualOf(logged, students, tutors)}
          offers={offers.filter(({ student_id: id }) => familiesToAsk(students, id).length === 0)}
          today={today}
          onAdd={(offer) => void add(offer).then((isAdded) => isAdded && navigate(paths.dashboard))}
          students={students}
          tutors={tutors}
          isOwnTutor={!isParent}
          current={fields}
          onChoose={onChoose}
        />
      )}
    </>
  )
}

/** The people to choose from, and whether everything above the fields has loaded. */
function useLists(isParent: boolean) {
  const students = useStudents()
  const tutors = useTutors()
  useFailureToast(students.error, isParent ? 'Failed to fetch children' : 'Failed to fetch students')
  useFailureToast(tutors.error, 'Failed to fetch tutors')
  // The content above the fields depends on these lists, so the form waits for them. Once shown, the form
  // stays even if a list reloads.
  const [isShown, setIsShown] = useState(false)
  const recent = useRecentSessions()
  if (!isShown && ![students, tutors, recent].some(isComing)) setIsShown(true)
  const known = { students: students.data ?? [], tutors: tutors.data ?? [] }
  return { students, tutors, known, isShown }
}

function namesOf(
  fields: SessionFields,
  { students, tutors }: ReturnType<typeof useLists>['known'],
  waiting: WaitingSession | undefined,
): { student: string; tutor: string } {
  const nameIn = (people: readonly { id: string; name: string }[], id: string) =>
    people.find((one) => one.id === id)?.name
  return {
    student: nameIn(students, fields.student_id) ?? waiting?.shown.student ?? '',
    tutor: nameIn(tutors, fields.tutor_id) ?? '',
  }
}

/** Whether the session can't be added yet because its student or tutor is missing. */
function isBlocked({ student_id, tutor_id }: SessionFields): boolean {
  return !student_id || !tutor_id
}

interface Saving {
  form: UseFormReturn<SessionFields>
  fields: SessionFields
  draft: string
  waiting: WaitingSession | undefined
  beside: Beside | undefined
  names: { student: string; tutor: string }
  /** Why the user has to confirm before saving. */
  doubt: string | undefined
  usual: UsualPrice
  known: { students: ListedStudent[]; tutors: Tutor[] }
  /** Whether the user still has to choose a family. */
  asksFamily: boolean
  onAnother: (next: Another) => void
  priced: ReturnType<typeof usePriced>
}

/**
 * Saves the session on the server, or on this device if the server can't be reached. Asks the user first if
 * something looks wrong.
 */
function useSaving({
  form,
  fields,
  draft,
  waiting,
  beside,
  names,
  doubt,
  usual,
  known,
  asksFamily,
  onAnother,
  priced,
}: Saving) {
  const { id: userId, workspace, currency } = useMe()
  const navigate = useNavigateFromHere()
  const toast = useToast()
  const log = useLogSession()
  const logSeveral = useLogSessions()
  const keyOf = useKeys()
  const { tellLogged } = useSessionUndo()
  const [idempotencyKey] = useState(newId)
  const { problem, fail, clear } = useFailure((name) => name in fields)
  // The question stays until one of the fields that caused it changes.
  const [asked, setAsked] = useState<Asked>()
  const [same, setSame] = useState<Asked>()
  const [isSavingBeside, setIsSavingBeside] = useState(false)
  const { handleSubmit, setError } = form

  const finish = (stays?: boolean) => {
    forgetDraft(draft)
    beside?.forget()
    const { date, tutor_id } = form.getValues()
    if (!stays) return navigate(paths.dashboard)
    scrollTo(0, 0)
    onAnother({ date, tutor_id })
  }
  const saveBeside = async (...of: Parameters<Beside['save']>) => {
    setIsSavingBeside(true)
    const said = await beside?.save(...of)
    setIsSavingBeside(false)
    return said
  }
  const keep = async (typed: SessionFields, tries: number, way: Way, key = idempotencyKey) => {
    const { isAnother, stays } = way
    const first = toWaiting(key, priced(typed), names, { price: usual, currency }, tries)
    if (isAnother) first.input = { ...first.input, is_another: true }
    const kept = waitingForAll(first, priced(typed), known, currency)
    const item = {
      ...kept,
      // The server may have stored the earlier request, so it has to be resent unchanged.
      ...(tries === 0 ? late(kept) : {}),
      workspace: workspace?.id,
    }
    try {
      if (!waiting) await addWaiting(userId, item)
      else if (!(await changeWaiting(userId, (queue) => edited(queue, waiting.id, item))).includes(item))
        return toast.error('Error', 'This session has already been sent. You can change it in the summary.')
    } catch (error) {
      return fail(error, 'Failed to add session')
    }
    if (!beside || (await saveBeside(typed, true)))
      toast.success('Waiting to be sent', "The session stays on this device until it's sent.")
    finish(stays)
    void sendNow()
  }
  const storeSeveral = async (typed: SessionFields, stays: boolean | undefined) => {
    const sharesOnePrice = typed.price_for === 'shared'
    const inputs = toSeveral(typed)
    // A retry of the same sessions uses the same key; what was changed since is another request.
    const key = keyOf(JSON.stringify([inputs, sharesOnePrice]))
    try {
      const { sessions } = await logSeveral.mutateAsync({ inputs, sharesOnePrice, idempotencyKey: key })
      const said = await saveBeside(typed)
      if (!beside || said) tellLogged(sessions, said)
      finish(stays)
    } catch (error) {
      if (error instanceof CallFailed && error.isRetryable) return keep(typed, 1, { stays }, key)
      if (error instanceof CallFailed && error.problem.code === 'same_lesson')
        setError('student_id', { message: 'One of these lessons is logged already. Add them one by one.' })
      for (const { field, message } of fieldErrorsOf(error))
        setError(field as keyof SessionFields, { message })
      fail(error, 'Failed to add sessions')
    }
  }
  const store = async (typed: SessionFields, { isAnother, stays }: Way = {}) => {
    clear()
    if (asksFamily) return setError('connection_id', { message: CHOOSE_FAMILY }, { shouldFocus: true })
    // The session is already in this device's queue, so it's sent from there.
    if (waiting) return keep(typed, 0, {})
    if (othersIn(typed).length > 0) return storeSeveral(typed, stays)
    try {
      const input = { ...toNewSession(typed), ...(isAnother ? { is_another: true } : {}) }
      const session = await log.mutateAsync({ input, idempotencyKey })
      const said = await saveBeside(typed)
      if (!beside || said) tellLogged([session], said)
      finish(stays)
    } catch (error) {
      if (error instanceof CallFailed && error.problem.code === 'make_up_gone') void refreshMakeUps()
      if (error instanceof CallFailed && error.problem.code === 'same_lesson')
        return setSame({ about: JSON.stringify(form.getValues()), stays })
      // The server may have stored the session even though no response arrived, so it's resent with the same
      // key.
      if (error instanceof CallFailed && error.isRetryable) return keep(typed, 1, { isAnother, stays })
      for (const { field, message } of fieldErrorsOf(error))
        setError(field as keyof SessionFields, { message })
      fail(error, 'Failed to add session')
    }
  }
  return {
    problem,
    isPending: log.isPending || logSeveral.isPending || isSavingBeside,
    isAsking: doubt !== undefined && asked?.about === doubt + JSON.stringify(fields),
    asksSame: same?.about === JSON.stringify(fields),
    submit: (stays?: boolean) =>
      handleSubmit((typed) =>
        doubt === undefined
          ? store(typed, { stays })
          : setAsked({ about: doubt + JSON.stringify(fields), stays }),
      ),
    saveAnyway: () => void handleSubmit((typed) => store(typed, { stays: asked?.stays }))(),
    /** Called when the user says that the other side's session is the same lesson. */
    isSame: () => void saveBeside(form.getValues()).then(() => finish(same?.stays)),
    isAnother: () => void handleSubmit((typed) => store(typed, { isAnother: true, stays: same?.stays }))(),
  }
}

/** Whether a family has to be chosen first. */
function hasToAsk({ connection_id: chosen, student_id: student }: SessionFields, students: ListedStudent[]) {
  return !chosen && familiesToAsk(students, student).length > 0
}

/** It belongs to the session it was said with, and not to another one. */
function besideOf(said: Beside | undefined, isOther: boolean): Beside | undefined {
  return isOther ? undefined : said
}

interface QuestionsProps {
  beside: Beside | undefined
  saving: ReturnType<typeof useSaving>
  fields: SessionFields
  names: { student: string; tutor: string }
  doubt: string | undefined
  isWaiting: boolean
}

/**
 * What's saved along with it, and questions to answer before saving: the session may be a mistake, or the other side may have logged it
 * already.
 */
function Questions({ beside, saving, fields, names, doubt, isWaiting }: QuestionsProps) {
  return (
    <>
      {beside?.shown(fields)}
      {saving.isAsking && doubt && (
        <AddAnyway
          doubt={doubt}
          question={isWaiting ? 'Save anyway?' : 'Add anyway?'}
          yes={isWaiting ? 'Save anyway' : 'Add anyway'}
          busy={saving.isPending}
          busyText="Adding..."
          onYes={saving.saveAnyway}
        />
      )}
      {saving.asksSame && (
        <SameLesson
          {...names}
          isAnswer
          date={fields.date}
          typed={toNewSession(fields)}
          isBusy={saving.isPending}
          onSame={saving.isSame}
          onAnother={saving.isAnother}
        />
      )}
    </>
  )
}

/** The form's placeholder while it loads. */
export function LoadingForm() {
  return (
    <Loading label="Loading the form...">
      <div className="mt-5 grid gap-4 lg:grid-cols-2">
        {Array.from({ length: 4 }, (_, index) => (
          <div key={index} className="grid gap-2">
            <div className="sk h-4 w-24" />
            <div className="sk h-12 w-full" />
          </div>
        ))}
      </div>
    </Loading>
  )
}

// A draft takes precedence over values passed to the page, unless those are for a different class. `isFresh`
// is true only for an empty form, which is the only kind we fill in automatically.
function startingValues(
  draft: string,
  {
    given,
    proposed,
    waiting,
    another,
  }: LogSessionFormProps & { given?: SessionFields; another: Another | undefined },
): { values: SessionFields; isFresh: boolean } {
  const empty = emptySession(dayIn(new Date()))
  if (another) return { values: { ...empty, ...another }, isFresh: false }
  if (waiting) return { values: withDraft(draft, fieldsOfWaiting(waiting)), isFresh: false }
  const kept = readDraft<SessionFields>(draft)
  if (proposed) {
    const values = { ...(kept ? withDraft(draft, empty) : (given ?? empty)), ...proposed }
    keepDraft(draft, values)
    return { values, isFresh: false }
  }
  if (given && (kept?.schedule_id !== given.schedule_id || kept?.occurrence_date !== given.occurrence_date))
    return { values: given, isFresh: false }
  return { values: withDraft(draft, empty), isFresh: kept === undefined }
}

// All logged sessions known to this device. If the day is older than the recent sessions, also loads that
// day's month.
function useLogged(day: string, exceptWaiting: string | undefined): Logged[] | undefined {
  const recent = useRecentSessions().data
  const queue = useWaiting(useMe())
  const oldest = recent?.sessions.reduce((first, { date }) => (date < first ? date : first), '9999')
  const isOlder = recent !== undefined && recent.next_cursor !== null && day !== '' && day <= (oldest ?? '')
  const month = useMonthSessions(day.slice(0, 7), isOlder && /^\d{4}-\d{2}-\d{2}$/.test(day)).data
  // Memoized because the form fills in the usual values again whenever it gets a new list.
  return useMemo(() => {
    if (!recent) return undefined
    const older = isOlder ? (month?.pages.flatMap((page) => page.sessions) ?? []) : []
    const unsent = queue.filter(({ id }) => id !== exceptWaiting)
    return loggedOf([...recent.sessions, ...older], unsent)
  }, [recent, isOlder, month, queue, exceptWaiting])
}

/**
 * Fills in the usual child, tutor, subject and duration. When the child or tutor changes, updates the subject
 * and duration. Never touches fields the user has changed; returns their names.
 */
function useUsualStart(
  form: UseFormReturn<SessionFields>,
  isFresh: boolean,
  students: { id: string }[] | undefined,
  tutors: { id: string; is_self: boolean }[] | undefined,
  logged: Logged[] | undefined,
): RefObject<Set<string>> {
  const { watch, getValues, setValue } = form
  const touched = useRef(new Set<string>())
  useEffect(() => {
    if (!students || !tutors) return
    const self = tutors.find((tutor) => tutor.is_self)
    const start = startOf(logged ?? [], students, self ? [self] : tutors)
    const mayFill = isFresh && touched.current.size === 0
    for (const name of ['student_id', 'tutor_id', 'subject', 'duration'] as const) {
      const isChoice = name === 'student_id' || name === 'tutor_id'
      const only = name === 'student_id' ? students.length === 1 : self !== undefined || tutors.length === 1
      const value = mayFill || (isChoice && only && getValues(name) === '') ? start[name] : undefined
      // Sets the value again, because a select can't show a value that isn't among its options yet.
      if (value !== undefined || isChoice) setValue(name, value ?? getValues(name))
    }
  }, [students, tutors, logged, isFresh, getValues, setValue])
  useEffect(() => {
    const { unsubscribe } = watch((values, { name, type }) => {
      if (type !== 'change' || !name) return
      touched.current.add(name)
      if (!isFresh || (name !== 'student_id' && name !== 'tutor_id')) return
      const last = lastOf(logged ?? [], values.student_id ?? '', values.tutor_id ?? '')
      const empty = emptySession('')
      if (!touched.current.has('subject')) setValue('subject', last?.subject ?? empty.subject)
      if (!touched.current.has('duration')) setValue('duration', last?.duration ?? empty.duration)
    })
    return unsubscribe
  }, [watch, setValue, logged, isFresh])
  return touched
}
