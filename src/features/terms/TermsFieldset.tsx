import { useId } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { AmountField, SelectField } from '#platform/ui/EntryField.tsx'
import { TextField } from '#platform/ui/Field.tsx'
import { MAX_BANDS } from './rules.ts'
import { noticeText } from './sentences.ts'
import { inSchoolYear, monthName } from './term.ts'
import { NOTICES, needsTermMonths, type TermsFields } from './terms-form.ts'

interface PartProps {
  form: UseFormReturn<TermsFields>
}

/** Fields in the folded part. If one has an error, it opens. */
const MORE = [
  'free_per_half_year',
  'free_if_rescheduled_days',
  'make_ups',
  'tutor_cancels',
  'term_months',
  'holding_percent',
  'due_day',
] as const

/** The fields of terms: what most need first, the rest folded. */
export function TermsFieldset({ form }: PartProps) {
  const { errors } = form.formState
  const per = useWatch({ control: form.control, name: 'fee.per' })
  return (
    <>
      <FeeFields form={form} per={per} />
      <NoticeField form={form} />
      {per === '' && <CostFields form={form} />}
      <Disclosure title="More" mustShow={MORE.some((name) => errors[name])}>
        <div className="grid gap-4 pt-2">
          <FreeFields form={form} />
          <MakeUpFields form={form} />
          <TutorFields form={form} />
          <TermFields form={form} />
          <NumberField
            form={form}
            name="holding_percent"
            label="A week with all lessons canceled costs (% of a lesson)"
            help="To hold the place, for example over the summer."
          />
          <NumberField form={form} name="due_day" label="Money is due on day (1 to 28)" />
        </div>
      </Disclosure>
    </>
  )
}

/** What a missed lesson costs. With a fee, it costs nothing more. */
function CostFields({ form }: PartProps) {
  return (
    <>
      <CostField
        form={form}
        name="late"
        label="A later cancellation costs"
        none="nothing"
        noneLabel="Nothing"
      />
      <Steps form={form} />
      <Problem form={form} name="bands" />
      <CostField
        form={form}
        name="no_show"
        label="A no-show costs"
        none="same"
        noneLabel="The same as a late cancellation"
      />
      <Problem form={form} name="no_show" />
    </>
  )
}

function NoticeField({ form }: PartProps) {
  const current = Number(useWatch({ control: form.control, name: 'notice_hours' }))
  const hours = NOTICES.includes(current as never) ? NOTICES : [...NOTICES, current].toSorted((a, b) => a - b)
  return (
    <SelectField label="Canceling is free until" {...form.register('notice_hours')}>
      {hours.map((one) => (
        <option key={one} value={String(one)}>
          {one === 0 ? 'the class begins' : `${noticeText(one)} before`}
        </option>
      ))}
    </SelectField>
  )
}

interface CostFieldProps extends PartProps {
  name: 'late' | 'no_show'
  label: string
  none: 'nothing' | 'same'
  noneLabel: string
}

function CostField({ form, name, label, none, noneLabel }: CostFieldProps) {
  const what = useWatch({ control: form.control, name: `${name}.what` })
  return (
    <div className="grid gap-2">
      <SelectField label={label} {...form.register(`${name}.what`)}>
        <option value={none}>{noneLabel}</option>
        <option value="half">Half the lesson</option>
        <option value="full">The full lesson</option>
        <option value="other">Something else</option>
      </SelectField>
      {what === 'other' && (
        <div className="grid grid-cols-2 gap-3">
          <NumberField form={form} name={`${name}.percent`} label="% of the lesson" />
          <AmountIn form={form} name={`${name}.amount`} label="Amount" />
        </div>
      )}
    </div>
  )
}

/** Steps between the notice and the last one, such as "48 to 24 hours before: half". */
function Steps({ form }: PartProps) {
  const steps = useWatch({ control: form.control, name: 'steps' })
  const set = (next: TermsFields['steps']) =>
    form.setValue('steps', next, { shouldDirty: true, shouldTouch: true })
  return (
    <>
      {steps.map((_, at) => (
        <fieldset key={at} className="grid gap-2 rounded-md bg-sunken p-3">
          <legend className="sr-only">Step {at + 1}</legend>
          <NumberField
            form={form}
            name={`steps.${at}.until_hours`}
            label="Before that, up to (hours before)"
          />
          <div className="grid grid-cols-2 gap-3">
            <NumberField form={form} name={`steps.${at}.percent`} label="% of the lesson" />
            <AmountIn form={form} name={`steps.${at}.amount`} label="Amount" />
          </div>
          <button
            type="button"
            className="link min-h-11 justify-self-start text-small"
            aria-label={`Remove step ${at + 1}`}
            onClick={() => set(steps.filter((_one, other) => other !== at))}
          >
            Remove
          </button>
        </fieldset>
      ))}
      {steps.length < MAX_BANDS - 1 && (
        <Button
          tone="quiet"
          size="small"
          className="justify-self-start"
          onClick={() => set([...steps, { until_hours: '', percent: '', amount: '' }])}
        >
          Add a step in between
        </Button>
      )}
    </>
  )
}

function FreeFields({ form }: PartProps) {
  return (
    <>
      <NumberField form={form} name="free_per_half_year" label="Free late cancellations per half-year" />
      <NumberField form={form} name="free_if_rescheduled_days" label="Free if rescheduled within (days)" />
      <div className="grid">
        <Check form={form} name="is_illness_free" label="Illness is free" />
        <Check form={form} name="are_closings_free" label="Snow days and school closings are free" />
        <Check form={form} name="are_late_arrivals_charged" label="Late arrivals pay for the whole lesson" />
      </div>
    </>
  )
}

function FeeFields({ form, per }: PartProps & { per: TermsFields['fee']['per'] }) {
  return (
    <div className="grid gap-2">
      <SelectField label="Lessons are paid" {...form.register('fee.per')}>
        <option value="">one by one</option>
        <option value="month">with a fee per month</option>
        <option value="term">with a fee per term</option>
      </SelectField>
      {per !== '' && (
        <>
          <div className="grid grid-cols-2 gap-3">
            <AmountIn form={form} name="fee.amount" label="Fee" />
            <NumberField form={form} name="fee.lessons" label="Lessons (empty: all)" />
          </div>
          <Check form={form} name="fee.is_in_advance" label="Paid in advance" />
        </>
      )}
      <Problem form={form} name="fee" />
    </div>
  )
}

function MakeUpFields({ form }: PartProps) {
  const [which, lapses] = useWatch({ control: form.control, name: ['make_ups.for', 'make_ups.lapses'] })
  return (
    <div className="grid gap-2">
      <SelectField label="Made up" {...form.register('make_ups.for')}>
        <option value="">Nothing</option>
        <option value="in_time">Lessons canceled in time</option>
        <option value="missed">All missed lessons</option>
      </SelectField>
      {which !== '' && (
        <>
          <div className="grid grid-cols-2 gap-3">
            <NumberField form={form} name="make_ups.most" label="At most (empty: all)" />
            <SelectField label="Counted" {...form.register('make_ups.per')}>
              <option value="once">at once</option>
              <option value="month">a month</option>
              <option value="term">a term</option>
            </SelectField>
          </div>
          <div className="grid grid-cols-2 gap-3">
            <SelectField label="They lapse" {...form.register('make_ups.lapses')}>
              <option value="never">never</option>
              <option value="days">after days</option>
              <option value="term">with the term</option>
            </SelectField>
            {lapses === 'days' && <NumberField form={form} name="make_ups.days" label="Days" />}
          </div>
        </>
      )}
      <Problem form={form} name="make_ups" />
    </div>
  )
}

function TutorFields({ form }: PartProps) {
  const brings = useWatch({ control: form.control, name: 'tutor_cancels.brings' })
  return (
    <div className="grid gap-2">
      <SelectField label="If the tutor cancels" {...form.register('tutor_cancels.brings')}>
        <option value="">Not said</option>
        <option value="nothing">Nothing is owed</option>
        <option value="make_up">A make-up</option>
        <option value="credit">A credit</option>
        <option value="make_up_or_credit">A make-up, or the money back</option>
      </SelectField>
      {brings !== '' && (
        <div className="grid grid-cols-2 items-end gap-3">
          {brings.startsWith('make_up') && (
            <NumberField form={form} name="tutor_cancels.within_days" label="Within (days)" />
          )}
          <NumberField form={form} name="tutor_cancels.late_percent_off" label="% off the next, if late" />
        </div>
      )}
      <Problem form={form} name="tutor_cancels" />
    </div>
  )
}

const MONTHS = inSchoolYear(Array.from({ length: 12 }, (_, at) => at + 1))

/** When terms begin. Shown where something depends on it. */
function TermFields({ form }: PartProps) {
  const [fee, makeUps] = useWatch({ control: form.control, name: ['fee', 'make_ups'] })
  if (!needsTermMonths({ fee, make_ups: makeUps })) return null
  return (
    <fieldset className="grid gap-1">
      <legend className="lab">Terms begin in</legend>
      <div className="grid grid-cols-2 gap-x-3 min-[480px]:grid-cols-3">
        {MONTHS.map((month) => (
          <label key={month} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 accent-accent"
              value={month}
              {...form.register('term_months')}
            />
            {monthName(month)}
          </label>
        ))}
      </div>
      <Problem form={form} name="term_months" />
    </fieldset>
  )
}

type NumberName =
  | 'free_per_half_year'
  | 'free_if_rescheduled_days'
  | 'holding_percent'
  | 'due_day'
  | `${'late' | 'no_show'}.percent`
  | `steps.${number}.${'until_hours' | 'percent'}`
  | 'fee.lessons'
  | `make_ups.${'most' | 'days'}`
  | `tutor_cancels.${'within_days' | 'late_percent_off'}`

interface NumberFieldProps extends PartProps {
  name: NumberName
  label: string
  help?: string
}

function NumberField({ form, name, label, help }: NumberFieldProps) {
  const error = name.includes('.') ? undefined : form.formState.errors[name as (typeof MORE)[number]]?.message
  return (
    <TextField
      label={label}
      help={help}
      className="num"
      inputMode="decimal"
      autoComplete="off"
      error={error}
      {...form.register(name)}
    />
  )
}

interface AmountInProps extends PartProps {
  name: `${'late' | 'no_show' | 'fee' | `steps.${number}`}.amount`
  label: string
}

function AmountIn({ form, name, label }: AmountInProps) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { onChange, ...field }, fieldState }) => (
        <AmountField label={label} {...field} error={fieldState.error?.message} onValueChange={onChange} />
      )}
    />
  )
}

interface CheckProps extends PartProps {
  name: 'is_illness_free' | 'are_closings_free' | 'are_late_arrivals_charged' | 'fee.is_in_advance'
  label: string
}

function Check({ form, name, label }: CheckProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5 accent-accent" {...form.register(name)} />
      {label}
    </label>
  )
}

/** Why a group of fields can't be sent. */
function Problem({ form, name }: PartProps & { name: string }) {
  const id = useId()
  const message = (form.formState.errors as Record<string, { message?: string } | undefined>)[name]?.message
  return message ? (
    <p id={id} role="alert" className="err">
      {message}
    </p>
  ) : null
}
