import { Fragment } from 'react'
import type { Question } from './help-section.ts'
import { HELP, textParts } from './help-text.ts'
import { TextPage } from './parts/TextPage.tsx'

/** The help page. It works without signing in and without JavaScript. */
export function HelpPage() {
  return (
    <TextPage title={HELP.title} summary={HELP.summary} contents={HELP.sections} isNumbered={false}>
      {HELP.sections.map(({ id, heading, questions }) => (
        <section key={id} className="mt-9" aria-labelledby={id}>
          <h2 id={id}>{heading}</h2>
          {questions.map((question) => (
            <Answered key={question.ask} question={question} />
          ))}
        </section>
      ))}
    </TextPage>
  )
}

function Answered({ question: { ask, steps, answer } }: { question: Question }) {
  return (
    <>
      <h3 className="mt-5">{ask}</h3>
      {steps && (
        <ol className="mt-2.5 list-decimal pl-[1.25rem] text-ink-2">
          {steps.map((step) => (
            <li key={step}>
              <Marked text={step} />
            </li>
          ))}
        </ol>
      )}
      {answer.map((paragraph) => (
        <p key={paragraph} className="mt-2.5 text-ink-2">
          <Marked text={paragraph} />
        </p>
      ))}
    </>
  )
}

/** Shows button and page labels in bold. */
function Marked({ text }: { text: string }) {
  return textParts(text).map(({ words, isLabel }, at) => (
    <Fragment key={at}>{isLabel ? <b className="font-semibold text-ink">{words}</b> : words}</Fragment>
  ))
}
