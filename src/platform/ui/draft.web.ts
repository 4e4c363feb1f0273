// Drafts preserve what the user typed across reloads, accidental taps and expired logins. They're deleted
// when the form is submitted or the user signs out.
import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

export const DRAFT_PREFIX = 'draft:'
const LAST = 'last-draft'

export function readDraft<Values extends object>(name: string): Partial<Values> | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(DRAFT_PREFIX + name) ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Partial<Values>) : undefined
  } catch {
    return undefined
  }
}

/**
 * A form's initial values, overridden by its draft. Ignores draft values that have an unknown name or the
 * wrong type, for example because they come from another version of the form.
 */
export function withDraft<Values extends object>(name: string, own: Values): Values {
  const kept = Object.entries(readDraft<Values>(name) ?? {}).filter(
    ([field, value]) =>
      !(field in own) ||
      own[field as keyof Values] === undefined ||
      typeof value === typeof own[field as keyof Values],
  )
  return { ...own, ...Object.fromEntries(kept) }
}

/** Saves values that weren't typed into the form, such as those from a recording. */
export function keepDraft(name: string, values: unknown): void {
  sessionStorage.setItem(DRAFT_PREFIX + name, JSON.stringify(values))
  sessionStorage.setItem(LAST, name)
}

export function forgetDraft(name: string): void {
  sessionStorage.removeItem(DRAFT_PREFIX + name)
  if (sessionStorage.getItem(LAST) === name) sessionStorage.removeItem(LAST)
}

/** Returns the latest draft's name, if that draft still exists. */
export function lastDraft(): string | undefined {
  const name = sessionStorage.getItem(LAST)
  return name !== null && sessionStorage.getItem(DRAFT_PREFIX + name) !== null ? name : undefined
}

export function useDraft<Values extends FieldValues>(name: string, form: UseFormReturn<Values>): void {
  const { watch } = form
  useEffect(() => {
    const { unsubscribe } = watch((values, { type }) => {
      if (type === 'change' || readDraft(name)) keepDraft(name, values)
    })
    return unsubscribe
  }, [name, watch])
}
