// Forms of a few text fields, for pages that must load fast: the form library weighs as much as all of their own code.
import { type SubmitEvent, useRef, useState } from 'react'

type Errors<Values> = Partial<Record<keyof Values, string | false>>

/**
 * A form whose fields keep their own text, so that whatever was typed before the script loaded stays. Everything is checked when it is
 * sent; once refused, a field is checked again as it changes.
 * @param initial the fields and what they start with
 * @param check the error of each field that has one
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
  /** Shows errors at their fields and moves to the first; returns whether there are any. */
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
  /** What the form does when it is sent, if nothing is wrong. */
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
