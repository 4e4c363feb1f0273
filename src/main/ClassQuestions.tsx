// The page of an emailed question is rendered outside the app, so it imports the app's styles itself.
import { writeForPerson } from '#platform/region.web.ts'
import './app.css'

writeForPerson()

export { default } from '#features/reminders/ClassQuestionsPage.tsx'
