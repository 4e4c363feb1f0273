import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useSide } from '#features/accounts/client.web.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { UNKNOWN_TUTOR } from '#features/tutors/tutor.ts'
import { useNoticeHours } from '#features/terms/client.web.ts'
import { newId } from '#kernel/id.ts'
import { isolated } from '#kernel/isolate.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { TextField } from '#platform/ui/Field.tsx'
import { FormBoundary } from '#platform/ui/FormBoundary.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { fieldIn } from '#platform/ui/form.web.ts'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { LoadingCards } from '#platform/ui/Skeleton.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import {
  breakInWords,
  type BreakFields,
  breakOf,
  classesInWords,
  daysProblem,
  emptyBreak,
  EndClasses,
  type EndedByBreak,
  MOST_ENDED,
} from './break.ts'
import { beginsAt, useOccurrences } from './client.web.ts'
import { ClassesCanceled, ClassesStaying } from './parts/BreakClasses.tsx'
import { ALL, type Schedule, timesOfSchedule, WEEKDAYS } from './schedule.ts'

interface BreakDialogProps {
  /** The schedules with classes to come. */
  schedules: readonly Schedule[]
  /** The one that's chosen at first, or ALL. */
  of: string
  onClose: () => void
}

/** Days without lessons: lists the classes they cancel, and cancels them in one step. */
export function BreakDialog(props: BreakDialogProps) {
  const draft = `break:${props.of}`
  return (
    <FormBoundary draft={draft}>
      <BreakForm draft={draft} {...props} />
    </FormBoundary>
  )
}

function BreakForm({ draft, schedules, of, onClose }: BreakDialogProps & { draft: string }) {
  const reader = useSide()
  const toast = useToast()
  const [start] = useState(() =>
    withDraft(draft, emptyBreak(of === ALL ? schedules.map(({ id }) => id) : [of], reader)),
  )
  const form = useForm<BreakFields>({ defaultValues: start })
  const fields = useWatch({ control: form.control }) as BreakFields
  const { ends, stays, isLoading, isFailed, isAsked, retry } = useBreak(fields)
  const { end, undo } = useEndClasses()
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: async (_, idempotencyKey) => {
      await end.mutateAsync({ ends, idempotencyKey })
      return ends
    },
    onDone: onClose,
    success: (ended) => [
      breakInWords(fields.from, fields.to),
      `${classesInWords(ended.length)} canceled`,
      {
        label: 'Undo',
        run: () => void undo(ended).catch(() => toast.error('Error', 'Failed to put the classes back')),
      },
    ],
    failure: 'Failed to cancel the classes',
  })
  const isTooMany = ends.length > MOST_ENDED
  return (
    <FormDialog
      title="Add a break"
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <>
          <Button tone="secondary" onClick={close}>
            Close
          </Button>
          <Button
            type="submit"
            form="break-form"
            className="flex-1"
            busy={end.isPending}
            busyText="Canceling..."
            blockedReason={ends.length === 0 || isTooMany ? '' : undefined}
          >
            {ends.length === 0 ? 'Cancel classes' : `Cancel ${classesInWords(ends.length)}`}
          </Button>
        </>
      }
    >
      <form id="break-form" className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <DayFields form={form} fields={fields} />
        {schedules.length > 1 && <ScheduleChoice form={form} schedules={schedules} reader={reader} />}
        <Controller
          control={form.control}
          name="by"
          render={({ field }) => (
            <SegmentedChoice
              label="Who can’t come?"
              name="break-by"
              value={field.value}
              onValueChange={field.onChange}
              options={
                reader === 'tutor'
                  ? [
                      { value: 'tutor', label: 'I can’t' },
                      { value: 'family', label: 'The family' },
                    ]
                  : [
                      { value: 'family', label: 'We can’t' },
                      { value: 'tutor', label: 'The tutor' },
                    ]
              }
            />
          )}
        />
        {isLoading && <LoadingCards count={1} label="Loading classes..." />}
        {isFailed && <LoadFailed title="The classes didn’t load" onRetry={retry} />}
        {isAsked && <ClassesCanceled ends={ends} reader={reader} isTooMany={isTooMany} />}
        {isAsked && <ClassesStaying stays={stays} reader={reader} />}
      </form>
    </FormDialog>
  )
}

function DayFields({ form, fields }: { form: UseFormReturn<BreakFields>; fields: BreakFields }) {
  const problem = fields.from && fields.to ? daysProblem(fields) : undefined
  return (
    <div className="pair">
      <TextField label="First day" type="date" required {...fieldIn(form, 'from')} error={problem?.from} />
      <TextField
        label="Last day"
        type="date"
        required
        min={fields.from}
        {...fieldIn(form, 'to')}
        error={problem?.to}
      />
    </div>
  )
}

interface ScheduleChoiceProps {
  form: UseFormReturn<BreakFields>
  schedules: readonly Schedule[]
  reader: Side
}

function ScheduleChoice({ form, schedules, reader }: ScheduleChoiceProps) {
  return (
    <Controller
      control={form.control}
      name="schedule_ids"
      render={({ field: { value, onChange } }) => {
        const isAll = schedules.every(({ id }) => value.includes(id))
        const choices = (
          <>
            <Choice
              label="All schedules"
              isChosen={isAll}
              onChange={(isChosen) => onChange(isChosen ? schedules.map(({ id }) => id) : [])}
            />
            <ul className="ml-8">
              {schedules.map((one) => (
                <li key={one.id}>
                  <Choice
                    label={isolated(one.student_name ?? UNKNOWN_STUDENT)}
                    line={lineOf(one, reader)}
                    isChosen={value.includes(one.id)}
                    onChange={(isChosen) =>
                      onChange(isChosen ? [...value, one.id] : value.filter((id) => id !== one.id))
                    }
                  />
                </li>
              ))}
            </ul>
          </>
        )
        const chosen = schedules.filter(({ id }) => value.includes(id)).length
        return (
          <fieldset>
            <legend className="lab">Schedules</legend>
            {schedules.length > LISTED ? (
              <Disclosure
                title={
                  <span className="num">
                    {isAll
                      ? `All ${schedules.length} schedules`
                      : `${chosen} of ${schedules.length} schedules`}
                  </span>
                }
              >
                {choices}
              </Disclosure>
            ) : (
              choices
            )}
          </fieldset>
        )
      }}
    />
  )
}

/** More schedules than this are folded, so that the classes they'd cancel are in sight. */
const LISTED = 4

/** For example, "Tuesdays at 4:30 PM with Ingrid". */
function lineOf(schedule: Schedule, reader: Side): string {
  const when = `${WEEKDAYS[schedule.day_of_week]}s at ${timesOfSchedule(schedule)}`
  return reader === 'tutor' ? when : `${when} with ${isolated(schedule.tutor_name ?? UNKNOWN_TUTOR)}`
}

interface ChoiceProps {
  label: string
  line?: string
  isChosen: boolean
  onChange: (isChosen: boolean) => void
}

function Choice({ label, line, isChosen, onChange }: ChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-accent"
        checked={isChosen}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 py-1 leading-snug wrap-anywhere">
        {label}
        {line && <span className="num block text-small text-ink-2">{line}</span>}
      </span>
    </label>
  )
}

/** The classes on the chosen days, as everyone's calendar has them: what's shown is what's canceled. */
function useBreak(fields: BreakFields) {
  const isAsked = fields.from !== '' && fields.to !== '' && daysProblem(fields) === undefined
  const { data, isError, isPlaceholderData, refetch } = useOccurrences(fields.from, fields.to, isAsked)
  const classes = isAsked && !isPlaceholderData ? data : undefined
  const { schedule_ids: schedules, by } = fields
  const noticeHours = useNoticeHours()
  return {
    ...breakOf(classes ?? [], { schedules, by, now: new Date(), beginsAt, noticeHours }),
    isAsked: classes !== undefined,
    isLoading: isAsked && !classes && !isError,
    isFailed: isAsked && !classes && isError,
    retry: () => void refetch(),
  }
}

type Said = Parameters<typeof call<typeof EndClasses>>[1]['classes'][number]
const refOf = ({ schedule_id, original_date: date }: EndedByBreak) => ({ schedule_id, date })

function send(classes: Said[], idempotencyKey: string): Promise<unknown> {
  // Also if it failed: somebody else may have answered.
  return call(EndClasses, { classes }, { idempotencyKey }).finally(() => queryClient.invalidateQueries())
}

function useEndClasses() {
  const end = useMutation({
    mutationFn: ({ ends, idempotencyKey }: { ends: readonly EndedByBreak[]; idempotencyKey: string }) =>
      send(
        ends.map((one) => ({ ...refOf(one), outcome: one.outcome, was: null })),
        idempotencyKey,
      ),
  })
  /** Puts exactly these classes back. The form is closed by then. */
  const undo = (ends: readonly EndedByBreak[]) =>
    send(
      ends.map((one) => ({ ...refOf(one), outcome: null, was: one.outcome })),
      newId(),
    )
  return { end, undo }
}
