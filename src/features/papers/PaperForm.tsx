import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { SelectField } from '#platform/ui/EntryField.tsx'
import { useEntryForm } from '#platform/ui/entry-form.web.ts'
import { TextArea, TextField } from '#platform/ui/Field.tsx'
import { checkedBy, fieldIn } from '#platform/ui/form.web.ts'
import { inFormBoundary } from '#platform/ui/FormBoundary.tsx'
import { withDraft } from '#platform/ui/draft.web.ts'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormPanel } from '#platform/ui/FormPanel.tsx'
import { ListRetry } from '#platform/ui/ListField.tsx'
import { SegmentedChoice } from '#platform/ui/SegmentedChoice.tsx'
import { usesLetter } from '#platform/ui/paper-size.web.ts'
import { issuePaper, makeRecord, usePermissions, usePreview } from './client.web.ts'
import { PAPER_KIND_WORDS, PaperInput, PLACE_WORDS, PLACES } from './content.ts'
import type { Paper } from './paper.ts'
import { asksFor, type PaperFields, toInput } from './paper-form.ts'
import { PaperPreview } from './PaperPreview.tsx'
import { PROGRAMS } from './program.ts'

interface PaperFormProps {
  draft: string
  fields: PaperFields
  /** The paper to void and issue again. */
  replaces?: Paper
  onIssued: () => void
  onClose: () => void
}

/** A new receipt or invoice: what to type on the left, and below it what it would say and what is missing. */
export const PaperForm = inFormBoundary(Content, ({ draft }: PaperFormProps) => draft)

type Form = UseFormReturn<PaperFields>

function Content({ draft, fields, replaces, onIssued, onClose }: PaperFormProps) {
  const form = useForm<PaperFields>({
    resolver: checkedBy<PaperFields>(PaperInput, toInput),
    defaultValues: withDraft(draft, fields),
  })
  const typed = useWatch({ control: form.control }) as PaperFields
  const preview = usePreview(typed)
  const { data: shown, isPlaceholderData: isOld } = preview
  const { submit, close, problem, isDirty } = useEntryForm(form, {
    draft,
    save: async (values, idempotencyKey): Promise<Paper | undefined> => {
      if (values.kind === 'record') {
        await makeRecord(toInput(values), usesLetter() ? 'letter' : 'a4')
        return undefined
      }
      return issuePaper(
        {
          paper: toInput(values),
          seen: shown?.seen ?? '',
          known_missing: shown?.missing.map(({ field }) => field) ?? [],
          ...(replaces && {
            replaces: { id: replaces.id, reason: values.reason || (replaces.void_reason ?? '') },
          }),
        },
        idempotencyKey,
      )
    },
    success: (paper) => {
      onIssued()
      return [paper ? `${PAPER_KIND_WORDS[paper.kind]} ${paper.number} issued` : 'Record downloaded']
    },
    failure: typed.kind === 'record' ? 'The record was not made' : 'The paper was not issued',
    onDone: onClose,
  })
  const isReady = shown && !isOld && preview.isComplete && shown.obstacles.length === 0
  const isFamily = useMe().role === 'parent'
  const action =
    typed.kind === 'record'
      ? 'Download record'
      : shown && shown.missing.length > 0
        ? 'Issue anyway'
        : `Issue ${typed.kind}`
  const lacksReason = replaces && !replaces.voided_at && typed.reason.trim() === ''
  return (
    <FormPanel
      title={
        replaces
          ? `Issue ${replaces.number} again`
          : isFamily
            ? 'New receipt or record'
            : 'New receipt or invoice'
      }
      isDirty={isDirty}
      onClose={close}
      problem={problem}
      footer={
        <FormButtons
          form="paper"
          label={action}
          isBusy={form.formState.isSubmitting}
          busyText={typed.kind === 'record' ? 'Preparing...' : 'Issuing...'}
          // An obstacle is named with what is missing, right above.
          blockedReason={
            isReady && !lacksReason ? undefined : lacksReason ? 'Say why the old one is void' : ''
          }
          onCancel={close}
        />
      }
    >
      <form id="paper" className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        {replaces && !replaces.voided_at && (
          <TextField
            label={`Why ${replaces.number} is void`}
            required
            maxLength={300}
            help="It stays in the list with this reason. The new one gets a number of its own."
            {...fieldIn(form, 'reason')}
          />
        )}
        {isFamily ? (
          <FamilyKind form={form} typed={typed} isAgain={replaces !== undefined} />
        ) : (
          <PracticeKind form={form} typed={typed} />
        )}
        <WhatFields form={form} typed={typed} isFamily={isFamily} />
        <WhoFields form={form} typed={typed} />
        <ProgramFields form={form} typed={typed} />
      </form>
      <PaperPreview preview={preview} typed={typed} form={form} />
    </FormPanel>
  )
}

function PracticeKind({ form, typed }: { form: Form; typed: PaperFields }) {
  return (
    <SegmentedChoice
      label="Kind"
      name="paper-kind"
      value={typed.kind}
      onValueChange={(kind) => form.setValue('kind', kind, { shouldDirty: true })}
      options={[
        { value: 'receipt', label: 'Receipt' },
        { value: 'invoice', label: 'Invoice' },
      ]}
    />
  )
}

/** What a family can make: a receipt in the name of a tutor who allows it, or its own record. */
function FamilyKind({ form, typed, isAgain }: { form: Form; typed: PaperFields; isAgain: boolean }) {
  const tutors = useTutors('all')
  const permissions = usePermissions()
  const isAllowed = (tutorId: string) =>
    permissions.data?.permissions.some((one) => one.tutor_id === tutorId && one.is_allowed) ?? false
  return (
    <>
      <SelectField
        label="Tutor"
        required
        {...fieldIn(form, 'tutor_id')}
        value={typed.tutor_id}
        onChange={({ target: { value } }) => {
          form.setValue('tutor_id', value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
          if (!isAgain) form.setValue('kind', isAllowed(value) ? 'receipt' : 'record')
        }}
      >
        <option value="">Select a tutor</option>
        {tutors.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <ListRetry list={tutors} plural="tutors" />
      {!isAgain && (
        <div>
          <SegmentedChoice
            label="Kind"
            name="paper-kind"
            value={typed.kind}
            onValueChange={(kind) => form.setValue('kind', kind, { shouldDirty: true })}
            options={[
              { value: 'receipt', label: 'Tutor’s receipt' },
              { value: 'record', label: 'Our own record' },
            ]}
          />
          <p className="help mt-1.5">
            {typed.kind === 'record'
              ? 'It says what you and the tutor recorded. It has no number and isn’t a receipt, so a program may not take it.'
              : 'It’s in the tutor’s name, with the tutor’s next number. The tutor has to allow it, and gets an email.'}
          </p>
        </div>
      )}
    </>
  )
}

function WhatFields({ form, typed, isFamily }: { form: Form; typed: PaperFields; isFamily: boolean }) {
  const students = useStudents('all')
  return (
    <>
      <SelectField
        label={isFamily ? 'Child' : 'Student'}
        required
        {...fieldIn(form, 'student_id')}
        value={typed.student_id}
      >
        <option value="">{isFamily ? 'Select a child' : 'Select a student'}</option>
        {students.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <ListRetry list={students} plural={isFamily ? 'children' : 'students'} />
      {typed.kind !== 'record' && (
        <SelectField label="For which program" {...fieldIn(form, 'program')}>
          {PROGRAMS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <div className="pair">
        <TextField label="First day" type="date" required {...fieldIn(form, 'from')} />
        <TextField label="Last day" type="date" required {...fieldIn(form, 'to')} />
      </div>
    </>
  )
}

function WhoFields({ form, typed }: { form: Form; typed: PaperFields }) {
  return (
    <>
      <TextField
        label="Child’s name as enrolled"
        help={
          typed.kind === 'record'
            ? 'It’s only on this file.'
            : 'Letter by letter as the program has it. It’s kept only on this paper.'
        }
        maxLength={120}
        autoComplete="off"
        {...fieldIn(form, 'child_name')}
      />
      <div className="pair">
        <TextField label="Payer" maxLength={120} autoComplete="off" {...fieldIn(form, 'payer_name')} />
        <TextField
          label="Program number"
          maxLength={60}
          autoComplete="off"
          {...fieldIn(form, 'program_number')}
        />
      </div>
      <TextArea label="Payer’s address" maxLength={300} {...fieldIn(form, 'payer_address')} />
      <SelectField label="Where the lessons were" {...fieldIn(form, 'place')}>
        <option value="">As chosen for each lesson</option>
        {PLACES.map((place) => (
          <option key={place} value={place}>
            {PLACE_WORDS[place]}
          </option>
        ))}
      </SelectField>
      {typed.kind === 'invoice' && (
        <TextField
          label="Due"
          type="date"
          help="If it’s empty, the day in your agreed terms."
          {...fieldIn(form, 'due_on')}
        />
      )}
      <TextArea label="Note" maxLength={300} {...fieldIn(form, 'note')} />
    </>
  )
}

/** What only some programs ask for. */
function ProgramFields({ form, typed }: { form: Form; typed: PaperFields }) {
  const isFamily = useMe().role === 'parent'
  const asks = (...fields: string[]) => typed.kind !== 'record' && asksFor(typed.program, ...fields)
  return (
    <>
      {asks('doctors_letter') && (
        <TextField label="Date of the doctor’s letter" type="date" {...fieldIn(form, 'letter_on')} />
      )}
      {asks('learning_goal') && (
        <TextArea label="Learning goal" maxLength={300} {...fieldIn(form, 'learning_goal')} />
      )}
      {asks('group', 'one_pupil') && (
        <SelectField label="One-to-one or group" {...fieldIn(form, 'group')}>
          <option value="">Not stated</option>
          <option value="one_to_one">One-to-one</option>
          <option value="group">Group</option>
        </SelectField>
      )}
      {asks('group_share') && typed.group === 'group' && (
        <TextField
          label="The child’s share"
          help="Such as 1 of 3"
          maxLength={60}
          {...fieldIn(form, 'group_share')}
        />
      )}
      {asks('unrelated') && (
        <Check form={form} name="is_unrelated">
          {isFamily ? 'The tutor isn’t related to the child' : 'I’m not related to the child'}
        </Check>
      )}
      {asks('reviewed') && (
        <Check form={form} name="is_reviewed">
          A parent reviewed this paper
        </Check>
      )}
    </>
  )
}

interface CheckProps {
  form: Form
  name: 'is_unrelated' | 'is_reviewed'
  children: string
}

function Check({ form, name, children }: CheckProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5 accent-accent" {...form.register(name)} />
      {children}
    </label>
  )
}
