import "./style/index.css";
import { render } from "preact";

const root = document.getElementById("app");
if (root !== null) render(<h1>Trunkline</h1>, root);
