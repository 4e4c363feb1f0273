// Connects an endpoint's schema to a form, so that the browser applies the same rules and messages before
// sending anything.
import {
  type FieldError,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type RegisterOptions,
  type Resolver,
  set,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { amountAsTyped, amountProblem, type Currency } from '#kernel/money.ts'
import { CallFailed } from '#platform/api.web.ts'

/** The fields of a form that hold amounts, and their currency. */
interface Amounts<Values extends FieldValues> {
  currency: Currency
  fields: readonly Path<Values>[]
}

/**
 * Validates what the form would send against the schema, without changing the form's values. After a failed
 * submit, each field is validated on every change. If we validated on blur, an error could disappear just as
 * you press the button, and the button would move. Amounts are read in their currency, and sent as they were read.
 */
export function checkedBy<Values extends FieldValues>(
  schema: z.ZodMiniType,
  toInput: (values: Values) => unknown,
  amounts?: Amounts<Values>,
): Resolver<Values> {
  return async (typed) => {
    const { values, problems } = amounts ? amountsIn(typed, amounts) : { values: typed, problems: {} }
    const parsed = schema.safeParse(toInput(values))
    if (parsed.success && Object.keys(problems).length === 0) return { values, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const [name, message] of Object.entries(problems)) set(errors, name, { type: 'invalid', message })
    for (const { path, message } of parsed.error?.issues ?? [])
      errors[String(path[0])] ??= {
        type: 'invalid',
        message: amounts ? amountProblem(message, amounts.currency) : message,
      }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }
}

/** The form's values with the amounts as they were read, and what's wrong with any. */
function amountsIn<Values extends FieldValues>(typed: Values, { currency, fields }: Amounts<Values>) {
  const values = structuredClone(typed)
  const problems: Record<string, string> = {}
  for (const name of fields) {
    const text: unknown = get(values, name)
    const read = typeof text === 'string' ? amountAsTyped(text, currency) : undefined
    if (read && 'problem' in read) problems[name] = read.problem
    else if (read) set(values, name, read.amount)
  }
  return { values, problems }
}

/** What connects a field to its form: the field's registration and its error. */
export function fieldIn<Values extends FieldValues, Name extends Path<Values>>(
  form: UseFormReturn<Values>,
  name: Name,
  rules?: RegisterOptions<Values, Name>,
) {
  const error: FieldError | undefined = get(form.formState.errors, name)
  return { ...form.register(name, rules), error: error?.message }
}

/** The field errors from a rejected call. */
export function fieldErrorsOf(error: unknown): { field: string; message: string }[] {
  return error instanceof CallFailed ? (error.problem.errors ?? []) : []
}

/** True if a call failed because the login had expired and couldn't be renewed. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallFailed && error.problem.status === 401
}

/**
 * Why a form couldn't be submitted. Used for the message in the form.
 * @param hasField whether the form itself shows a given field's errors
 */
export function failureText(error: unknown, hasField: (name: string) => boolean): string {
  if (!(error instanceof CallFailed)) return 'Something went wrong. What you typed is still here.'
  const errors = error.problem.errors ?? []
  const elsewhere = errors
    .filter(({ field }) => !hasField(field.split('.')[0] ?? ''))
    .map(({ message }) => message)
  if (elsewhere.length > 0) return elsewhere.join('. ')
  return errors.length > 0 ? 'Please check the highlighted fields.' : error.problem.title
}
