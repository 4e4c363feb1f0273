// Forms with a few text fields, for pages that have to load fast. The form library is as large as the rest of
// such a page's code.
import { type SubmitEvent, useRef, useState } from 'react'

type Errors<Values> = Partial<Record<keyof Values, string | false>>

/**
 * A form with uncontrolled fields, which keep anything typed before the script loaded. Everything is
 * validated on submit. After a failed submit, each field is validated on every change.
 * @param initial the fields and their initial values
 * @param check returns an error for each invalid field
 */
export function usePlainForm<Values extends Record<string, string>>(
  initial: Values,
  check: (values: Values) => Errors<Values>,
) {
  const form = useRef<HTMLFormElement>(null)
  const isChecked = useRef(false)
  const [errors, setErrors] = useState<Errors<Values>>({})
  const [isSending, setIsSending] = useState(false)

  const values = (): Values =>
    form.current ? (Object.fromEntries(new FormData(form.current)) as Values) : initial
  /** Shows each field's error and focuses the first invalid field. Returns whether there are any errors. */
  const refuse = (found: Errors<Values>): boolean => {
    setErrors(found)
    const first = Object.keys(initial).find((name) => found[name])
    const input = first === undefined ? null : form.current?.elements.namedItem(first)
    if (input instanceof HTMLElement) input.focus()
    return first !== undefined
  }
  const field = (name: keyof Values & string) => {
    const error: string | false | undefined = errors[name]
    return {
      name,
      defaultValue: initial[name],
      error: error || undefined,
      onChange: () => {
        if (isChecked.current) setErrors({ ...errors, [name]: check(values())[name] })
      },
    }
  }
  const onSubmit = (send: (values: Values) => unknown) => async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    isChecked.current = true
    const typed = values()
    if (refuse(check(typed))) return
    setIsSending(true)
    await send(typed)
    setIsSending(false)
  }
  return { form, field, values, refuse, onSubmit, isSending }
}
