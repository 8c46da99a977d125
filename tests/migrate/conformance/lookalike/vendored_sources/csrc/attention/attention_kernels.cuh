void launch(torch::Tensor& out, torch::Tensor& query);
