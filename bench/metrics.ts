export { metricOf, scrape } from "../test/harness/metrics.js";
