/**
 * React's development build writes each render with its changed values to the browser's timeline, where no test looks. It does
 * so if the console has this function when React is loaded. Without it these tests need less of the processor.
 */
Reflect.deleteProperty(console, 'timeStamp');
